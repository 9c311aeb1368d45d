"""Work on other machines: documents, vectors and whole batches of questions on a Dask cluster."""

from engine.settings.setting import Part

CLUSTER = Part(extra="cluster", modules=("distributed",), purpose="work on a Dask cluster")
