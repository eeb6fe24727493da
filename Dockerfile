# An image with the tool: docker build --tag hearth . && docker run hearth --help
FROM swift:6.2-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends libleveldb-dev zlib1g-dev
WORKDIR /hearth
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
COPY Tools Tools
RUN swift build --configuration release --product hearth --static-swift-stdlib

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libleveldb1d zlib1g tzdata \
  && rm --recursive --force /var/lib/apt/lists/*
COPY --from=build /hearth/.build/release/hearth /usr/local/bin/hearth
EXPOSE 8080
ENTRYPOINT ["hearth"]
