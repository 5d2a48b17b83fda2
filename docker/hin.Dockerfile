# hin itself, with Torch for the processor. From the repository:
#   docker build --file docker/hin.Dockerfile --tag hin .
#   docker run --rm --volume "$PWD:/work" hin load papers.jsonl
FROM python:3.12-slim
COPY . /hin
WORKDIR /hin
# The option and its value are two words.
# hadolint ignore=SC2046
RUN pip install --no-cache-dir --constraint constraints.txt uv \
 && uv pip install --system --no-cache --constraint constraints.txt $(sh docker/torch-backend.sh uv) . \
 && useradd --create-home --uid 1000 hin \
 && mkdir /work \
 && chown hin /work
USER 1000
WORKDIR /work
ENTRYPOINT ["hin"]
CMD ["--help"]
