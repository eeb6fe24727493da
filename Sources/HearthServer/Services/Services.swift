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
  ///
  /// - Parameter log: the log to which its calls are written; `nil` for none.
  mutating func add(
    _ service: String, _ methods: [String: ServiceMethod], recordedIn log: CallLog? = nil
  ) {
    names.insert(service)
    for (name, method) in methods {
      let method = log.map { method.recorded(as: name, in: $0) } ?? method
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
  ///
  /// - Parameter log: the log to which its streams are written when they end.
  mutating func add(
    _ service: String, streams: [String: StreamMethod], recordedIn log: CallLog
  ) {
    names.insert(service)
    for (name, method) in streams {
      let method = method.recorded(as: name, in: log)
      self.streams["/\(service)/\(name)"] = method
      calls["/\(service)/\(name)"] = RPCMethod(method)
    }
  }
}
