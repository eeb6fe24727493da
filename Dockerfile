# An image with the tool: docker build --tag hearth . && docker run hearth --help
#
# Other containers reach a server in it by its name. For a service that is called firestore, with
# its databases on a volume at /data:
#
#   serve --db /data --host 0.0.0.0 --insecure-bind --allow-host firestore
#
# --insecure-bind allows everyone in the network everything; --token-file asks for a token instead.
FROM swift:6.2-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends libedit-dev \
  libleveldb-dev libre2-dev zlib1g-dev
WORKDIR /hearth
# Versions that were resolved before are kept; a copy from git has none.
COPY Package.swift Package.resolved* ./
COPY Sources Sources
COPY Tests Tests
COPY Tools Tools
RUN swift build --configuration release --product hearth --static-swift-stdlib

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libedit2 libleveldb1d libre2-9 zlib1g tzdata \
  && rm --recursive --force /var/lib/apt/lists/*
COPY --from=build /hearth/.build/release/hearth /usr/local/bin/hearth
EXPOSE 8080
ENTRYPOINT ["hearth"]
