# kbw in a container, built from a checkout: docker build --tag kbw .
# What it needs comes by the digests of pins/run.txt; the data lives in the volume /data.
FROM python:3.13-slim AS build
WORKDIR /src
RUN python -m venv /opt/kbw
COPY pins/run.txt pins/
RUN /opt/kbw/bin/pip install --no-cache-dir --require-hashes --no-deps --requirement pins/run.txt
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY flows flows
COPY sql sql
COPY transforms transforms
COPY warehouse warehouse
RUN /opt/kbw/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.13-slim
# git: for sources that are clones
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home kbw \
    && install --directory --owner=kbw /data
COPY --from=build /opt/kbw /opt/kbw
ENV PATH=/opt/kbw/bin:$PATH KBW_HOME=/data
USER kbw
WORKDIR /data
VOLUME /data
ENTRYPOINT ["kbw"]
CMD ["ingest", "--all"]
