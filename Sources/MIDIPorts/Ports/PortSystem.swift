// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import Synchronization

/// The ports of a program, of whatever kinds: finds what texts name, and opens ports of ours.
///
/// The first provider is the one whose ports need no kind before their names: a port that is given
/// none is one of its kind. A provider is opened when something is asked of it for the first time.
///
/// - Note: any thread may use it. Not real-time safe.
public final class PortSystem: Sendable {
  /// A kind of port, and what opens its provider.
  public struct Source: Sendable {
    let kind: PortKind
    let open: @Sendable () throws -> any PortProvider

    /// Names a provider that is opened when it is needed; where that fails, it is tried again.
    public init(
      _ kind: PortKind, opening open: @escaping @Sendable () throws -> any PortProvider
    ) {
      (self.kind, self.open) = (kind, open)
    }
  }

  private let sources: [Source]
  private let opened = Mutex<[PortKind: any PortProvider]>([:])

  /// Creates a system of providers that are opened when they are needed.
  ///
  /// - Precondition: there is one at least, and none of a kind twice.
  public init(_ sources: [Source]) {
    precondition(!sources.isEmpty, "at least one provider is required")
    precondition(
      Set(sources.map(\.kind)).count == sources.count, "only one provider of each kind is allowed")
    self.sources = sources
  }

  /// Creates a system of providers that are there.
  ///
  /// - Precondition: no kind is twice among them.
  public convenience init(_ first: any PortProvider, _ others: any PortProvider...) {
    self.init(([first] + others).map { provider in Source(provider.kind) { provider } })
  }

  /// The kinds of its ports; a port that is given no kind is one of the first.
  public var kinds: [PortKind] { sources.map(\.kind) }

  /// The kind of a port that is given none.
  public var ownKind: PortKind { sources[0].kind }

  /// The provider of a kind.
  ///
  /// - Throws: `EndpointError.noProvider`; where what has the ports is not there.
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

  /// What is there of a kind.
  ///
  /// - Throws: `EndpointError.noProvider`; where what has the ports is not there.
  public func peers(of kind: PortKind) throws -> EndpointList { try provider(of: kind).peers() }

  /// What is there of every kind that is there, in the order of the kinds.
  ///
  /// - Throws: where none is there, why the first is not.
  public func peers() throws -> EndpointList {
    let (list, refusal) = attempted(kinds)
    // Another kind without a port is no comfort.
    if let list, refusal == nil || !list.devices.isEmpty { return list }
    throw refusal ?? EndpointError.noProvider(text: "", available: [])
  }

  /// What is there of some kinds, nil for none, and why the first of them is not.
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
  /// A text's kind, where it begins with one, and the rest of it.
  ///
  /// A name in which a word that is no kind stands before the colon has none: `Midi Through:0`.
  public func split(_ text: String) -> (kind: PortKind?, rest: String) {
    guard let colon = text.firstIndex(of: ":") else { return (nil, text) }
    let kind = PortKind(rawValue: String(text[..<colon]))
    guard kinds.contains(kind) || PortKind.named.contains(kind) else { return (nil, text) }
    return (kind, String(text[text.index(after: colon)...]))
  }

  /// The one endpoint that a person's text names.
  ///
  /// `rtp:studio` is looked for in the ports of that kind alone. Numbers are ALSA's. Anything else
  /// is a name that is looked for in all kinds: of two kinds the one whose name follows the text
  /// more closely is meant (`EndpointList.find`), and of two that follow it alike neither.
  ///
  /// - Throws: `EndpointError.unknown`, `ambiguous`, `ofSeveralKinds`, `noProvider`; where what has
  ///   the ports is not there.
  public func find(_ text: String, _ direction: Endpoint.Direction) throws -> Endpoint {
    let (kind, rest) = split(text)
    if let kind { return try find(rest, direction, of: kind, as: text) }
    let isNumbered = text.utf8.allSatisfy { (0x30...0x3A).contains($0) }
    if isNumbered, kinds.contains(.alsa) { return try peers(of: .alsa).find(text, direction) }
    let (list, refusal) = attempted(kinds)
    do {
      return try (list ?? EndpointList(devices: [])).find(text, direction)
    } catch {
      // What is not found might be there, were its kind.
      if case .unknown = error, let refusal { throw refusal }
      throw error
    }
  }

  /// The endpoints that several texts name, once each, in order.
  ///
  /// A text is one port; or, where it is none, several with commas between.
  ///
  /// - Throws: as `find` for one.
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

  /// What tells of the ports that texts may name: of the kinds before them, or of all that are
  /// there.
  func monitors(for texts: [String]) throws -> [any EndpointMonitor] {
    let named = texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { split(String($0)).kind }
    guard !named.contains(nil) else { return try monitors() }
    return try named.compactMap(\.self).uniqued.map { try provider(of: $0).makeMonitor() }
  }

  /// What tells of ports that come and go, of every kind that is there, in the order of the kinds.
  ///
  /// - Throws: where the first kind is not there.
  public func monitors() throws -> [any EndpointMonitor] {
    var monitors = [try provider(of: ownKind).makeMonitor()]
    for kind in kinds.dropFirst() {
      do {
        monitors.append(try provider(of: kind).makeMonitor())
      } catch {
        // It is not there, and nobody has asked for it by its word.
        continue
      }
    }
    return monitors
  }

  /// Carries what comes from some ports to others, of whatever kinds: by the shortest way.
  ///
  /// - Parameters:
  ///   - sources: where events come from, at least one.
  ///   - destinations: where they go, at least one.
  ///   - senders: what passes, and how it changes.
  ///   - sysExSpeed: bytes a second of a long SysEx, as for `OutputPorts`; where the kernel carries
  ///     it, it passes as it comes.
  /// - Returns: the connection.
  /// - Throws: `EndpointError.vanished` where a port went away.
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
