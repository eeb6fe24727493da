import HearthServerTransport

/// The services of a server.
struct Services {
  /// The methods by their names, which are those of one service each.
  private(set) var methods: [String: ServiceMethod] = [:]
  /// The methods whose clients send any number of messages, by the paths of their calls.
  private(set) var streams: [String: StreamMethod] = [:]
  /// The methods by the paths of gRPC's calls.
  private(set) var calls: [String: RPCMethod] = [:]
  /// The names of the services.
  private(set) var names: Set<String> = []

  /// Adds the service with a name, by the names of its methods.
  mutating func add(_ service: String, _ methods: [String: ServiceMethod]) {
    names.insert(service)
    for (name, method) in methods {
      self.methods[name] = method
      calls["/\(service)/\(name)"] = RPCMethod(method)
    }
  }

  /// Adds a method that only gRPC calls.
  mutating func add(_ service: String, _ name: String, _ method: RPCMethod) {
    names.insert(service)
    calls["/\(service)/\(name)"] = method
  }

  /// Adds methods whose clients send any number of messages, by their names.
  mutating func add(_ service: String, streams: [String: StreamMethod]) {
    names.insert(service)
    for (name, method) in streams {
      self.streams["/\(service)/\(name)"] = method
      calls["/\(service)/\(name)"] = RPCMethod(method)
    }
  }
}
