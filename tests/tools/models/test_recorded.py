"""Recorded answers of every kind of endpoint, read by the dialects, against values read in the files by hand."""

# ruff: noqa: E501 -- one recording, one line

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tools.models import detect
from tools.models.calling import DIALECTS, _payload, _stream
from tools.models.dialect import Gathered
from tools.models.faults import Fault, of_answer
from tools.models.model import Endpoint
from tools.models.thinking import Visible, strip
from tools.models.wire import Wire

pytestmark = pytest.mark.shared

# file, beginning and length of the text, beginning of the tool's arguments, model, finish, tokens in and out, cost
# fmt: off
ANSWERS = (
    ('anthropic/ellmer_anthropic-basic.json', '2', 1, '', 'claude-sonnet-5', 'stop', 30, 3, None),
    ('anthropic/ellmer_anthropic-count-tokens_2.json', "I don't have access to r", 322, '', 'claude-sonnet-5', 'stop', 20, 93, None),
    ('anthropic/ellmer_anthropic-images_1.json', 'This image shows a logo ', 614, '', 'claude-sonnet-5', 'stop', 119, 211, None),
    ('anthropic/ellmer_anthropic-tool-image_2.json', "That's a kitten — a baby", 341, '', 'claude-sonnet-5', 'stop', 1011, 115, None),
    ('anthropic/ellmer_anthropic-tool-image_3.json', "It's a kitten (a baby ca", 200, '', 'claude-sonnet-5', 'stop', 1137, 142, None),
    ('anthropic/ellmer_anthropic-upload-file_1.json', 'The title of this docume', 71, '', 'claude-sonnet-5', 'stop', 1652, 29, None),
    ('anthropic/ellmer_anthropic-upload-file_2.json', 'Red delicious', 13, '', 'claude-sonnet-5', 'stop', 1696, 7, None),
    ('anthropic/ellmer_anthropic-web-fetch_2.json', '**The Phantom Menace** w', 56, '', 'claude-sonnet-5', 'stop', 3652, 24, None),
    ('anthropic/ellmer_anthropic-web-fetch_3.json', 'George Lucas directed *T', 43, '', 'claude-sonnet-5', 'stop', 3684, 20, None),
    ('anthropic/ellmer_anthropic-web-search.json', 'According to CRAN publis', 93, '', 'claude-sonnet-5', 'stop', 13947, 155, None),
    ('anthropic/ellmer_anthropic-web-search_2.json', 'May 2014 — ggplot2 1.0.0', 87, '', 'claude-sonnet-5', 'stop', 11151, 88, None),
    ('anthropic/rbllm_function_calling_anthropic_claude-haiku-4-5_can_handle_multiple_tool_calls_in_a_.json', '', 0, '{}{}{}', 'claude-haiku-4-5-20251001', 'tool', 596, 75, None),
    ('anthropic/rbllm_function_calling_anthropic_claude-haiku-4-5_can_handle_multiple_tool_calls_in_a__2.json', 'Here are your three dice', 93, '', 'claude-haiku-4-5-20251001', 'stop', 771, 45, None),
    ('anthropic/rbllm_streaming_responses_anthropic_claude-haiku-4-5_reports_consistent_token_counts_c.json', '1\n2\n3', 5, '', 'claude-haiku-4-5-20251001', 'stop', 15, 9, None),
    ('anthropic/rbllm_streaming_responses_anthropic_claude-haiku-4-5_supports_streaming_responses.sse.txt', '1\n2\n3', 5, '', 'claude-haiku-4-5-20251001', 'stop', 15, 9, None),
    ('huggingface/pai_test_cancel_recorded_provider_stream_huggingface__1.sse.txt', 'Paris', 5, '', 'meta-llama/llama-3.1-8b-instruct', 'stop', 40, 2, None),
    ('huggingface/pai_test_hf_model_instructions.json', 'The capital of France is', 161, '', 'deepseek-ai/DeepSeek-R1', 'stop', 16, 216, None),
    ('huggingface/pai_test_hf_model_thinking_part.json', 'Crossing the street safe', 2797, '', 'deepseek-ai/DeepSeek-R1', 'stop', 10, 995, None),
    ('huggingface/pai_test_image_as_binary_content_input.json', 'The fruit in the image i', 176, '', 'Qwen/Qwen2.5-VL-72B-Instruct', 'stop', 448, 38, None),
    ('huggingface/pai_test_max_completion_tokens.json', '', 0, '', 'deepseek-ai/DeepSeek-R1', 'length', 4, 100, None),
    ('huggingface/pai_test_simple_completion.json', 'Hello! 👋 How can I help ', 34, '', 'deepseek-ai/DeepSeek-R1', 'stop', 4, 197, None),
    ('huggingface/pai_test_tool_choice_matrix_list_single-huggingface_.json', '', 0, '{"city": "Paris"}', 'meta-llama/Llama-4-Scout-17B-16E-Instruct', 'tool', 608, 30, None),
    ('huggingface/pai_test_tool_choice_matrix_none_with_output-huggingface_.json', '', 0, '{"city": "Paris", "summa', 'meta-llama/Llama-4-Scout-17B-16E-Instruct', 'tool', 634, 106, None),
    ('huggingface/pai_test_tool_choice_matrix_required-huggingface_.json', '', 0, '{"city": "Paris"}', 'meta-llama/Llama-4-Scout-17B-16E-Instruct', 'tool', 608, 30, None),
    ('huggingface/router_hyperbolic_chat.json', '', 0, '', 'deepseek-ai/DeepSeek-R1-0528', 'length', 12, 50, None),
    ('ollama/native_chat_stream_ndjson.ndjson.txt', 'Okay, here we go!\n\n1, 2,', 32, '', 'gemma3:1b', 'stop', 16, 22, None),
    ('ollama/otel_test_ollama_chat_legacy.json', 'A joke about OpenTelemet', 256, '', 'llama3', 'stop', 17, 66, None),
    ('ollama/otel_test_ollama_chat_tool_calls_legacy.json', 'This is a simple example', 535, '', 'llama3.1', 'stop', 44, 113, None),
    ('ollama/otel_test_ollama_streaming_chat_legacy.ndjson.txt', 'Why did the OpenTelemetr', 212, '', 'llama3', 'stop', 17, 50, None),
    ('ollama/pai_test_ollama_cloud_prompted_output.json', '{"name":"Loki","animal":', 38, '', 'gpt-oss:20b', 'stop', 172, 88, None),
    ('ollama/pai_test_ollama_cloud_tool_output.json', 'Paris.', 6, '', 'gpt-oss:20b', 'stop', 134, 122, None),
    ('ollama/pai_test_ollama_cloud_tool_output_1.json', '', 0, '{"city":"Paris","country', 'gpt-oss:20b', 'tool', 206, 194, None),
    ('ollama/pai_test_ollama_local_native_output_uses_json_schema.json', '{ "city": "Paris", "coun', 40, '', 'qwen3:0.6b', 'stop', 136, 15, None),
    ('ollama/rbllm_basic_chat_functionality_ollama_qwen3_can_handle_multi-turn_conversations.json', 'The creator of the progr', 453, '', 'qwen3', 'stop', 20, 421, None),
    ('ollama/rbllm_streaming_responses_ollama_cloud_gpt-oss_120b_supports_streaming_responses.sse.txt', '1  \n2  \n3', 9, '', 'gpt-oss:120b', 'stop', 74, 53, None),
    ('ollama/rbllm_vision_models_ollama_granite3_2-vision_can_understand_local_images.json', "I'm sorry for any confus", 447, '', 'granite3.2-vision', 'stop', 785, 95, None),
    ('openai_compat/chat_basic.json', "Hello! I'm just a comput", 115, '', 'gpt-3.5-turbo-0125', 'stop', 13, 31, None),
    ('openai_compat/chat_function_call.json', '', 0, '{"location":"Boston"}', 'gpt-3.5-turbo-0125', 'tool', 81, 14, None),
    ('openai_compat/chat_stream.sse.txt', '1, 2, 3, 4, 5', 13, '', 'gpt-3.5-turbo-0125', 'stop', 14, 13, None),
    ('openai_compat/perplexity_stream.sse.txt', 'The largest country in t', 154, '', 'llama-3.1-sonar-small-128k-online', 'stop', 12, 43, None),
    ('openai_compat/simonw_test_tool_use_basic_1.sse.txt', 'The result of \\( 1231 \\t', 56, '', 'gpt-4o-mini-2024-07-18', 'stop', 87, 26, None),
    ('openai_compat/simonw_test_tool_use_chain_of_two_calls.json', '', 0, '{"country":"Crumpet"}', 'gpt-4o-mini-2024-07-18', 'tool', 92, 17, None),
    ('openai_compat/simonw_test_tools_streaming_variant_a_1.sse.txt', 'The current version of *', 52, '', 'moonshotai/kimi-k2', 'stop', 107, 15, 0.0001017),
    ('openai_compat/simonw_test_tools_streaming_variant_b.sse.txt', '', 0, '{}', 'moonshotai/kimi-k2', '', 57, 17, 7.159e-05),
    ('openai_compat/simonw_test_tools_streaming_variant_c_1.sse.txt', 'The installed version of', 63, '', 'moonshotai/kimi-k2', 'stop', 105, 16, 0.000103),
    ('openai_compat/simonw_test_tools_streaming_variant_d.sse.txt', '', 0, '', 'muse-spark-1.1', 'tool', 57, 17, 7.159e-05),
)
# file, kind, beginning of what was said, whether to try again, seconds to wait, what to leave out
FAULTS = (
    ('anthropic/ellmer_anthropic-count-tokens.json', 'unreadable', 'it has no content', False, None, ()),
    ('anthropic/ellmer_anthropic-count-tokens_1.json', 'unreadable', 'it has no content', False, None, ()),
    ('anthropic/ellmer_anthropic-count-tokens_3.json', 'unreadable', 'it has no content', False, None, ()),
    ('anthropic/ellmer_anthropic-count-tokens_5.json', 'unreadable', 'it has no content', False, None, ()),
    ('anthropic/ellmer_anthropic-upload-file_4.json', 'server', "File 'file_011CdeLUpakHYCG43qGLs", False, None, ()),
    ('anthropic/ellmer_anthropic-upload-file_5.json', 'unreadable', 'it has no content', False, None, ()),
    ('anthropic/pai_test_anthropic_explicit_effort_xhigh_unsupported_model_errors.json', 'server', 'This model does not support effo', False, None, ()),
    ('anthropic/rbllm_error_handling_with_anthropic_claude-haiku-4-5_raises_appropriate_auth_error.json', 'key', 'invalid x-api-key', False, None, ()),
    ('huggingface/api_inference_404.txt', 'absent', 'there is no endpoint at this add', False, None, ()),
    ('huggingface/hub_InferenceApiTest.test_inference_missing_input_1.json', 'server', 'Error in `inputs.context`: field', False, None, ()),
    ('huggingface/inference_endpoint_tgi.json', 'unreadable', 'the answer is missing or no obje', False, None, ()),
    ('huggingface/model_loading_503.json', 'server', 'Model tiiuae/falcon-7b-instruct ', True, 577, ()),
    ('ollama/native_pull_0.ndjson.txt', 'unreadable', 'the message is missing or no obj', False, None, ()),
    ('openai_compat/openrouter_stream_then_429_1.json', 'limit', 'Rate limit exceeded: limit_rpm/m', True, None, ()),
    ('openai_compat/pai_test_model_name_suggestion_groq_.json', 'model', 'The model `llama-3.3-70b-versatl', False, None, ()),
    ('openai_compat/pai_test_model_name_suggestion_openai-chat_.json', 'model', 'The model `gpt-5.2-proo` does no', False, None, ()),
    ('openai_compat/pai_test_openai_o1_mini_system_role_developer_.json', 'server', "Unsupported value: 'messages[0].", False, None, ('no_system',)),
    ('openai_compat/pai_test_openai_web_search_tool_model_not_supported.json', 'server', 'Web search options not supported', False, None, ()),
    ('openai_compat/pai_test_tool_use_failed_error.json', 'shape', 'Tool call validation failed: too', False, None, ('no_schema',)),
    ('openai_compat/pqa_400_bad_image.json', 'server', 'You uploaded an unsupported imag', False, None, ()),
    ('openai_compat/rb_401.json', 'key', 'Incorrect API key provided: <OPE', False, None, ()),
    ('openai_compat/rb_500_server_error.json', 'server', 'The server had an error processi', True, None, ()),
    ('openai_compat/rb_http_get_with_error_response.json', 'server', 'Test error', False, None, ()),
    ('openai_compat/rb_models_retrieve.json', 'unreadable', 'it has no choices', False, None, ()),
    ('openai_compat/rbllm_error_handling_with_mistral_mistral-small-latest_raises_appropriate_au.json', 'key', 'Invalid API Key', False, None, ()),
    ('openai_compat/rbllm_error_handling_with_openrouter_claude-haiku-4-5_raises_appropriate_aut.json', 'key', 'Missing Authentication header', False, None, ()),
    ('openai_compat/rbllm_error_handling_with_xai_grok-4-1-fast-non-reasoning_raises_appropriate.json', 'key', 'Incorrect API key provided. You ', False, None, ()),
    ('openai_compat/rbllm_real_error_scenarios_azure_grok-4-1-fast-non-reasoning_handles_context.json', 'limit', 'Your requests to grok-4-1-fast-n', True, 1, ()),
    ('openai_compat/rbllm_real_error_scenarios_ollama_cloud_gpt-oss_120b_handles_context_length_.json', 'context', 'prompt too long; exceeded max co', False, None, ()),
    ('openai_compat/rbllm_real_error_scenarios_perplexity_sonar_handles_context_length_exceeded_.json', 'context', 'The total length of all messages', False, None, ()),
    ('openai_compat/rbllm_real_error_scenarios_vertexai_gemini-2_5-flash_handles_context_length_.json', 'context', 'The input token count (1250074) ', False, None, ()),
)
# fmt: on


@cache
def manifest(folder: Path) -> dict[str, dict[str, Any]]:
    lines = (folder / "recorded" / "MANIFEST.jsonl").read_text().splitlines()
    return {row["file"]: row for row in map(json.loads, lines)}


def read(shared: Path, name: str) -> Gathered:
    row, body = manifest(shared)[name], (shared / "recorded" / name).read_bytes()
    if row["status"] != 200:
        raise of_answer(row["status"], row["headers"], body, 0.0)
    kind = (
        "anthropic"
        if name.startswith("anthropic/")
        else "ollama"
        if "/api/" in row["request_url"]
        else "openai"
    )
    gathered = Gathered()
    if name.endswith(".txt"):
        # Cut into small pieces, as a network may
        _stream(
            iter(body[at : at + 100] for at in range(0, len(body), 100)),
            DIALECTS[kind],
            gathered,
            Visible(None),
        )
    else:
        DIALECTS[kind].whole(_payload(body), gathered)
    return gathered


@each("expected", ANSWERS)
def test_a_recorded_answer_reads_as_it_was_read_by_hand(
    shared: Path, expected: tuple[Any, ...]
) -> None:
    name, head, length, arguments, *rest = expected
    answer = read(shared, name)
    text = strip("".join(answer.text))
    assert (text[:24], len(text)) == (head, length)
    assert "".join(answer.arguments)[:24] == arguments
    assert [
        answer.model,
        answer.finish,
        answer.input_tokens,
        answer.output_tokens,
        answer.cost,
    ] == rest
    assert answer.is_complete and "<think" not in text


@each("expected", FAULTS)
def test_a_recorded_error_is_understood(shared: Path, expected: tuple[Any, ...]) -> None:
    name, kind, message, again, wait, without = expected
    with pytest.raises(Fault) as caught:
        read(shared, name)
    fault = caught.value
    if kind == "unreadable":
        assert fault.kind == "shape" and fault.detail.startswith(message)
        return
    assert (fault.kind, fault.again, fault.without) == (kind, again, without)
    assert (fault.endpoint_words or fault.detail).startswith(message)
    assert (fault.wait and round(fault.wait)) == wait


def test_every_recording_has_its_expectation(shared: Path) -> None:
    services = ("anthropic", "huggingface", "ollama", "openai_compat", "lmstudio")
    files = {name for name in manifest(shared) if name.startswith(services)}
    lists = {name for name in files if "v1_models" in name}
    assert files == {row[0] for row in (*ANSWERS, *FAULTS)} | lists


@pytest.mark.parametrize(
    ("name", "models", "chat"),
    [
        ("lmstudio/v1_models_embed_only.json", ["text-embedding-nomic-embed-text-v1.5"], 0),
        (
            "lmstudio/v1_models_qwen.json",
            ["qwen2.5-7b-instruct", "text-embedding-nomic-embed-text-v1.5"],
            1,
        ),
        ("ollama/v1_models_0_20_5.json", ["gemma3:4b"], 1),
        ("ollama/v1_models_list.json", ["llama3.1:latest", "qwen2.5:latest", "llama3.2:latest"], 3),
    ],
)
def test_recorded_lists_of_models(
    shared: Path, name: str, models: list[str], chat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.loads((shared / "recorded" / name).read_bytes())
    monkeypatch.setattr(detect, "fetch_json", lambda *_: body)
    names_listed = detect.listed(Wire(), Endpoint("x", "http://localhost:1/v1"))
    assert [model.name for model in names_listed] == models and sum(
        model.chat for model in names_listed
    ) == chat
