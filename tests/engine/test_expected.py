"""How long a research will take is told from those like it, and not before there are some."""

from pathlib import Path

from engine.answers import RunOptions
from engine.extensions import Extensions
from engine.research_engine import ResearchEngine
from tests.engine.pretend import Pretend

OPTIONS = RunOptions(depth=2, sources=("web",), clarify=False)


def test_three_complete_researches_of_the_same_kind_tell_the_time_of_the_next(
    home: Path, tmp_path: Path
) -> None:
    pipeline = Pretend(tmp_path)
    with ResearchEngine(home=home, environ={}, extensions=Extensions(pipeline=pipeline)) as engine:  # type: ignore[arg-type]
        jobs = engine._opened.jobs
        for number in range(3):
            engine.run(f"Question {number}?", OPTIONS)
            with jobs.database.write() as connection:
                connection.execute(
                    "UPDATE jobs SET elapsed = ? WHERE query = ?",
                    (10.0 * (number + 1), f"Question {number}?"),
                )
        engine.run("Other sources?", RunOptions(depth=2, sources=("local",), clarify=False))
        assert sorted(jobs.past_seconds(2, ("web",))) == [10.0, 20.0, 30.0]
        assert jobs.past_seconds(3, ("web",)) == [] and len(jobs.past_seconds(2, ("local",))) == 1
        pretender = Pretend(tmp_path, asks=True)
        engine._opened.extensions = Extensions(pipeline=pretender)  # type: ignore[arg-type]
        waiting = engine.run(
            "Do batteries last?", RunOptions(depth=2, sources=("web",), clarify=True)
        ).research_id
        assert engine.status(waiting).expected == 20.0
        assert engine.usual_seconds(2, ["web"]) == 20.0 and engine.usual_seconds(1, ["web"]) is None
        other = engine.run(
            "Do cells last?", RunOptions(depth=2, sources=("local",), clarify=True)
        ).research_id
        assert engine.status(other).expected is None
