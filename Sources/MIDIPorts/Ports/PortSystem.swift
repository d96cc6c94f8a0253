// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import Synchronization

/// The port providers of a program, with which endpoints are found by name and ports are opened.
///
/// If the name of a new port does not contain a kind, the port is opened by the first provider. A
/// provider is opened when it is first needed.
///
/// - Note: Can be used from any thread. Not real-time safe.
public final class PortSystem: Sendable {
  /// A kind of port, with a function that opens its provider.
  public struct Source: Sendable {
    let kind: PortKind
    let open: @Sendable () throws -> any PortProvider

    /// Creates a source from a kind and a function that opens the provider.
    ///
    /// If opening fails, it is tried again when the provider is next needed.
    public init(
      _ kind: PortKind, opening open: @escaping @Sendable () throws -> any PortProvider
    ) {
      (self.kind, self.open) = (kind, open)
    }
  }

  private let sources: [Source]
  private let opened = Mutex<[PortKind: any PortProvider]>([:])

  /// Creates a system whose providers are opened when they are first needed.
  ///
  /// - Precondition: There is at least one source, and only one of each kind.
  public init(_ sources: [Source]) {
    precondition(!sources.isEmpty, "at least one provider is required")
    precondition(
      Set(sources.map(\.kind)).count == sources.count, "only one provider of each kind is allowed")
    self.sources = sources
  }

  /// Creates a system from providers that are already open.
  ///
  /// - Precondition: There is only one provider of each kind.
  public convenience init(_ first: any PortProvider, _ others: any PortProvider...) {
    self.init(([first] + others).map { provider in Source(provider.kind) { provider } })
  }

  /// The kinds of ports, in the order of the providers.
  public var kinds: [PortKind] { sources.map(\.kind) }

  /// The kind of a new port whose name does not contain a kind.
  public var ownKind: PortKind { sources[0].kind }

  /// Returns the provider of a kind, and opens it if necessary.
  ///
  /// - Throws: `EndpointError.noProvider`, or an error if the provider is not available.
  public func provider(of kind: PortKind) throws -> any PortProvider {
    guard let source = sources.first(where: { $0.kind == kind }) else {
      throw EndpointError.noProvider(text: "\(kind):", available: kinds)
    }
    return try opened.withLock { opened in
      if let provider = opened[kind] { return provider }
      let provider = try source.open()
      opened[kind] = provider
      return provider
    }
  }

  /// Returns the ports of one kind that other programs and devices have.
  ///
  /// - Throws: `EndpointError.noProvider`, or an error if the provider is not available.
  public func peers(of kind: PortKind) throws -> EndpointList { try provider(of: kind).peers() }

  /// Returns the ports of all available kinds that other programs and devices have, in the order of
  /// the kinds.
  ///
  /// - Throws: The error of the first provider, if it fails and no other provider has ports.
  public func peers() throws -> EndpointList {
    let (list, refusal) = attempted(kinds)
    // The error of the first provider matters if the other kinds do not have any ports.
    if let list, refusal == nil || !list.devices.isEmpty { return list }
    throw refusal ?? EndpointError.noProvider(text: "", available: [])
  }

  /// The ports of several kinds, nil if none is available, and the error of the first kind.
  private func attempted(_ kinds: [PortKind]) -> (list: EndpointList?, refusal: (any Error)?) {
    var devices: [MIDIDevice]?
    var refusal: (any Error)?
    for kind in kinds {
      do {
        devices = (devices ?? []) + (try peers(of: kind).devices)
      } catch {
        if kind == kinds[0] { refusal = error }
      }
    }
    return (devices.map { EndpointList(devices: $0) }, refusal)
  }
}

extension PortSystem {
  /// Splits a string such as `jack:system` into the kind of port and the rest.
  ///
  /// If the word before the colon is not a kind, as in `Midi Through:0`, the result's kind is nil.
  public func split(_ text: String) -> (kind: PortKind?, rest: String) {
    guard let colon = text.firstIndex(of: ":") else { return (nil, text) }
    let kind = PortKind(rawValue: String(text[..<colon]))
    guard kinds.contains(kind) || PortKind.named.contains(kind) else { return (nil, text) }
    return (kind, String(text[text.index(after: colon)...]))
  }

  /// Finds the endpoint that a string names.
  ///
  /// If the string begins with a kind, as `rtp:studio` does, only ports of that kind are searched.
  /// Numbers are those of ALSA. Any other string is a name that is searched in all kinds. If ports
  /// of two kinds match, the more similar name is used (`EndpointList.find`); if both are equally
  /// similar, an error is thrown.
  ///
  /// - Throws: `EndpointError.unknown`, `ambiguous`, `ofSeveralKinds`, `noProvider`, or an error if
  ///   a provider is not available.
  public func find(_ text: String, _ direction: Endpoint.Direction) throws -> Endpoint {
    let (kind, rest) = split(text)
    if let kind { return try find(rest, direction, of: kind, as: text) }
    let isNumbered = text.utf8.allSatisfy { (0x30...0x3A).contains($0) }
    if isNumbered, kinds.contains(.alsa) { return try peers(of: .alsa).find(text, direction) }
    let (list, refusal) = attempted(kinds)
    do {
      return try (list ?? EndpointList(devices: [])).find(text, direction)
    } catch {
      // If a provider is not available, the port might be one of its ports.
      if case .unknown = error, let refusal { throw refusal }
      throw error
    }
  }

  /// Finds the endpoints that several strings name, in order and without duplicates.
  ///
  /// A string that is not the name of a port is read as a list of names, separated by commas.
  ///
  /// - Throws: The errors of finding one endpoint.
  public func find(_ texts: [String], _ direction: Endpoint.Direction) throws -> [Endpoint] {
    try EndpointList.find(texts) { try find($0, direction) }
  }

  private func find(
    _ name: String, _ direction: Endpoint.Direction, of kind: PortKind, as text: String
  ) throws -> Endpoint {
    guard kinds.contains(kind) else {
      throw EndpointError.noProvider(text: text, available: kinds)
    }
    let provider = try provider(of: kind)
    do {
      return try provider.peers().find(name, direction)
    } catch EndpointError.unknown(_, _, let available) {
      if let endpoint = try provider.unlistedEndpoint(name, direction) { return endpoint }
      throw EndpointError.unknown(text: text, direction: direction, available: available)
    }
  }

  /// The monitors of ports that texts can name: of the kinds in the texts, or of all available
  /// kinds.
  func monitors(for texts: [String]) throws -> [any EndpointMonitor] {
    let named = texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { split(String($0)).kind }
    guard !named.contains(nil) else { return try monitors() }
    return try named.compactMap(\.self).uniqued.map { try provider(of: $0).makeMonitor() }
  }

  /// Returns a monitor for each available kind of port, in the order of the kinds.
  ///
  /// - Throws: An error if the first kind is not available.
  public func monitors() throws -> [any EndpointMonitor] {
    var monitors = [try provider(of: ownKind).makeMonitor()]
    for kind in kinds.dropFirst() {
      do {
        monitors.append(try provider(of: kind).makeMonitor())
      } catch {
        // Not available, and not requested explicitly.
        continue
      }
    }
    return monitors
  }

  /// Connects sources to destinations of any kinds, and passes events between them as directly as
  /// possible.
  ///
  /// - Parameters:
  ///   - sources: The sources, at least one.
  ///   - destinations: The destinations, at least one.
  ///   - senders: The filter and transform; by default all events pass unchanged.
  ///   - sysExSpeed: The speed of a long SysEx in bytes per second, as for `OutputPorts`. The speed
  ///     is ignored if the kernel passes the events.
  /// - Returns: The connection.
  /// - Throws: `EndpointError.vanished` if a port has disappeared.
  public func thru(
    from sources: [Endpoint], to destinations: [Endpoint],
    through senders: ThruSenders = ThruSenders(), sysExSpeed: Int? = nil
  ) throws -> any ThruConnection {
    let kinds = (sources + destinations).map(\.kind).uniqued
    if kinds.count == 1,
      let direct = try provider(of: kinds[0]).makeThru(
        from: sources, to: destinations, through: senders)
    {
      return direct
    }
    return try PortThru(
      self, from: sources, to: destinations, through: senders, sysExSpeed: sysExSpeed)
  }
}
