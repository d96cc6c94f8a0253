// SPDX-License-Identifier: Apache-2.0

extension EndpointList {
  /// Finds the endpoint that a string names or numbers.
  ///
  /// The string is interpreted in this order, and the first interpretation with a match is used:
  ///
  /// 1. numbers: `14:0`, or `14` for the client's first port;
  ///
  /// 2. the name of a client (for its first port), of a port, or both with a space between them;
  ///
  /// 3. the same names, ignoring case;
  ///
  /// 4. the beginning of a name;
  ///
  /// 5. any part of a name.
  ///
  /// In 2 to 5, a colon can separate a client (name or number) from a port (name or number). Names
  /// can begin with a digit. Numbers are only for ALSA; names are searched in all kinds in the
  /// list. `PortSystem.find` also accepts a kind before the name.
  ///
  /// - Throws: `EndpointError.unknown` with the available endpoints, `ambiguous` with the
  ///   candidates, or `ofSeveralKinds` if the candidates are of several kinds.
  /// - Complexity: O(n) in the number of ports.
  public func find(
    _ text: String, _ direction: Endpoint.Direction
  ) throws(EndpointError) -> Endpoint {
    if let endpoint = numbered(text, direction) { return endpoint }
    // Half an address does not match a part of a name.
    let isHalf = text.isEmpty || text.hasPrefix(":") || text.hasSuffix(":")
    for reading in isHalf ? [.exact] : NameReading.allCases {
      let found = matches(text, direction, reading)
      if found.count == 1 { return found[0] }
      if found.count > 1 { throw Self.ambiguity(of: text, found) }
    }
    throw .unknown(
      text: text, direction: direction, available: endpoints(direction).map(\.description))
  }

  /// Finds the endpoints that several strings name, in order and without duplicates.
  ///
  /// A string that is not the name of a port is read as a list of names, separated by commas.
  ///
  /// - Throws: The errors of finding one endpoint.
  public func find(
    _ texts: [String], _ direction: Endpoint.Direction
  ) throws(EndpointError) -> [Endpoint] {
    try Self.find(texts) { (text) throws(EndpointError) in try find(text, direction) }
  }

  /// Finds the endpoints that several texts name, each once, in order, with a function for one
  /// text.
  static func find<Failure: Error>(
    _ texts: [String], by find: (String) throws(Failure) -> Endpoint
  ) throws(Failure) -> [Endpoint] {
    var found: [Endpoint] = []
    for text in texts {
      do {
        found.append(try find(text))
      } catch {
        let parts = text.split(separator: ",").map(String.init)
        guard case .unknown? = error as? EndpointError, parts.count > 1 else { throw error }
        for part in parts { found.append(try find(part)) }
      }
    }
    return found.uniqued
  }

  private static func ambiguity(of text: String, _ found: [Endpoint]) -> EndpointError {
    let names = found.map(\.description)
    let kinds = found.map(\.kind).uniqued
    if kinds.count == 1 { return .ambiguous(text: text, candidates: names) }
    return .ofSeveralKinds(text: text, candidates: names, kinds: kinds)
  }

  private func numbered(_ text: String, _ direction: Endpoint.Direction) -> Endpoint? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let client = Self.number(parts[0]) else { return nil }
    guard parts.count == 2 else {
      return numbered(client)?.endpoints(direction).first
    }
    guard let port = Self.number(parts[1]) else { return nil }
    return numbered(client)?.entities.first { $0.port == port }?.endpoint(direction)
  }

  private func numbered(_ client: UInt8) -> MIDIDevice? {
    devices.first { $0.kind == .alsa && $0.number == client }
  }

  /// Digits only: `+1` and `1 ` are not numbers.
  private static func number(_ text: Substring) -> UInt8? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt8(text) : nil
  }

  private func matches(
    _ text: String, _ direction: Endpoint.Direction, _ reading: NameReading
  ) -> [Endpoint] {
    var found: [Endpoint] = []
    for device in devices where !device.isSystem {
      let endpoints = device.endpoints(direction)
      if reading.takes(device.name, for: text) {
        found += endpoints.prefix(1)
      } else {
        found += endpoints.filter { Self.answers($0, to: text, reading) }
      }
    }
    return found
  }

  private static func answers(
    _ endpoint: Endpoint, to text: String, _ reading: NameReading
  ) -> Bool {
    let (device, name) = (endpoint.deviceName, endpoint.name)
    if reading.takes(name, for: text) { return true }
    if reading.isWhole, reading.takes("\(device) \(name)", for: text) { return true }
    return text.indices.contains { colon in
      guard text[colon] == ":" else { return false }
      let before = text[..<colon]
      let after = text[text.index(after: colon)...].drop { $0 == " " }
      guard !before.isEmpty, !after.isEmpty else { return false }
      return isClient(endpoint, before, reading) && isPort(endpoint, after, reading)
    }
  }

  private static func isClient(
    _ endpoint: Endpoint, _ text: Substring, _ reading: NameReading
  ) -> Bool {
    endpoint.kind == .alsa && number(text) == endpoint.address.client
      || reading.takes(endpoint.deviceName, for: String(text))
  }

  private static func isPort(
    _ endpoint: Endpoint, _ text: Substring, _ reading: NameReading
  ) -> Bool {
    endpoint.kind == .alsa && number(text) == endpoint.address.port
      || reading.takes(endpoint.name, for: String(text))
  }
}

/// The degree of similarity between a name and the user's text.
private enum NameReading: CaseIterable {
  case exact, anyCase, beginning, part

  /// True if the text must be a whole name.
  var isWhole: Bool { self == .exact || self == .anyCase }

  func takes(_ name: String, for text: String) -> Bool {
    switch self {
    case .exact: name == text
    case .anyCase: name.lowercased() == text.lowercased()
    case .beginning: name.lowercased().hasPrefix(text.lowercased())
    case .part: Self.holds(name.lowercased(), text.lowercased())
    }
  }

  private static func holds(_ name: String, _ part: String) -> Bool {
    let (name, part) = (Array(name.utf8), Array(part.utf8))
    guard part.count <= name.count else { return false }
    return (0...(name.count - part.count)).contains {
      name[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}
