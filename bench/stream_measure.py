"""The name of a client, an address, a number of events → microseconds of processor time an event, as JSON.

From the request to the last typed event, with everything on the way: HTTP, frames, JSON, types. Importing and making the client
do not count, nor does the first stream, which warms both. One process measures one subject.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable


def google(url: str) -> Callable[[], int]:
    """google-genai, the way it shows."""
    from google import genai

    client = genai.Client(api_key="k", http_options={"base_url": url})
    return lambda: sum(1 for _ in client.interactions.create(model="m", input="Hi", stream=True))


def ours(url: str, parser: str) -> Callable[[], int]:
    """The generated client, with one of its two parsers."""
    from gemini_interactions_bindings import models
    from gemini_interactions_bindings._support import text
    from gemini_interactions_bindings.client import Client

    text.use(parser)
    client = Client(api_key="k", base_url=url)
    request = models.CreateInteractionRequest(model="m", input="Hi")
    return lambda: sum(1 for _ in client.create_interaction_stream(request))


def untyped(url: str) -> Callable[[], int]:
    """The floor: httpx and a reader of JSON, which split at empty lines and look at nothing."""
    import httpx

    client = httpx.Client()

    def read() -> int:
        count = 0
        with client.stream("POST", url) as response:
            for line in response.iter_lines():
                if line.startswith("data: {"):
                    json.loads(line[6:])
                    count += 1
        return count

    return read


SUBJECTS: dict[str, Callable[[str], Callable[[], int]]] = {
    "google-genai": google,
    "ours": lambda url: ours(url, "json"),
    "ours, msgspec": lambda url: ours(url, "msgspec"),
    "httpx lines, json": untyped,
}


def main() -> None:
    """Measure one subject."""
    name, url, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    read = SUBJECTS[name](url)
    assert read() == count, "the subject has lost events"
    gc.collect()
    begun = time.process_time()
    assert read() == count
    print(json.dumps({"event": 1e6 * (time.process_time() - begun) / count}))


if __name__ == "__main__":
    main()
