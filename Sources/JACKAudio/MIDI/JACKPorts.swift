// SPDX-License-Identifier: Apache-2.0
public import MIDIPorts
internal import Realtime
internal import Synchronization

/// A provider of the MIDI ports of a JACK server, or of PipeWire with its JACK interface.
///
/// A port has the name `client:port`. Ports of bridges to ALSA are not listed, because they would
/// appear twice, but can be opened by their full names. A client of the running server is opened at
/// the first use; a server is never started.
///
/// - Note: Any thread. Not real-time safe.
public final class JACKPorts: PortProvider {
  /// Clients that bridge ALSA's ports: those of PipeWire, JACK and a2jmidid.
  private static let bridges: Set<String> = ["Midi-Bridge", "a2j", "alsa_midi"]
  /// The number of stored messages for inputs that are drained often, and for others.
  private static let capacities = (often: 8_192, seldom: 65_536)

  private let open: @Sendable () throws(JACKError) -> JACKClient
  private let startGuardian: @Sendable () -> JACKGuardian?
  private let state: Mutex<State>

  fileprivate struct State {
    var client: JACKClient?
    var numbering = EndpointNumbering(.jack)
    var names: [EndpointAddress: String] = [:]
    /// The names of bridged ports that were opened.
    var bridged: Set<String> = []
    var taken: Set<String> = []
    /// The guardian of the ports that send, once it was requested.
    var guardian: JACKGuardian??
  }

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - open: Opens a client; called at the first use, and after a client has lost its server. By
  ///     default, the client has default settings.
  ///   - guardian: Starts the process that releases sounding notes if this process is killed;
  ///     called for the first port that sends. By default a guardian is not used.
  public init(
    opening open: @escaping @Sendable () throws(JACKError) -> JACKClient = {
      () throws(JACKError) in try JACKClient()
    },
    guardian: @escaping @Sendable () -> JACKGuardian? = { nil }
  ) {
    (startGuardian, self.open) = (guardian, open)
    state = Mutex(State())
  }

  /// The kind of the ports: `jack`.
  public var kind: PortKind { .jack }

  /// The full name of a port in JACK.
  static func fullName(of endpoint: Endpoint) -> String {
    "\(endpoint.deviceName):\(endpoint.name)"
  }

  /// The client, which is opened if necessary.
  func client() throws(JACKError) -> JACKClient {
    if let client = state.withLock({ $0.client }), client.failure == nil { return client }
    let client = try open()
    state.withLock { $0.client = client }
    return client
  }

  /// Returns the ports of other clients; an empty list while an open client waits for its server to
  /// return.
  ///
  /// - Throws: `JACKError` if no server is running and no client is open.
  public func peers() throws(JACKError) -> EndpointList {
    list(of: try client())
  }

  /// Returns a port of a bridge to ALSA by its full name; nil if it does not exist.
  ///
  /// - Throws: `JACKError` if no server is running.
  public func unlistedEndpoint(
    _ text: String, _ direction: Endpoint.Direction
  ) throws(JACKError) -> Endpoint? {
    let client = try client()
    let names = client.midiPorts(direction == .source)
    guard names.contains(text) else { return nil }
    state.withLock { _ = $0.bridged.insert(text) }
    return list(of: client).endpoints(direction).first { Self.fullName(of: $0) == text }
  }

  /// Returns a monitor that reports when ports appear and disappear, including those of a server
  /// that stops or starts.
  ///
  /// - Throws: `JACKError` if no server is running; `RealtimeError` if the process cannot open
  ///   another file descriptor.
  public func makeMonitor() throws -> any EndpointMonitor {
    try JACKEndpointMonitor(self, on: client())
  }

  /// Creates a port that sends.
  ///
  /// The parameter `sysExSpeed` is ignored.
  ///
  /// - Throws: `JACKError` if the server refuses the port.
  public func makeOutput(
    named name: String, sysExSpeed: Int?
  ) throws(JACKError) -> any OutputPort {
    let client = try client()
    let name = unused(name, of: client)
    return try JACKOutputPort(on: client, name: name, guardian: guardian())
  }

  /// The guardian of all ports that send, which is started if necessary.
  private func guardian() -> JACKGuardian? {
    state.withLock { state in
      let guardian = state.guardian ?? startGuardian()
      state.guardian = .some(guardian)
      return guardian
    }
  }

  /// Creates a port that receives.
  ///
  /// - Throws: `JACKError` if the server refuses the port; `RealtimeError` if the process cannot
  ///   open another file descriptor.
  public func makeInput(named name: String, readsAhead: Bool) throws -> any InputPort {
    let client = try client()
    return try JACKInputPort(
      of: self, on: client, name: unused(name, of: client),
      capacity: readsAhead ? Self.capacities.seldom : Self.capacities.often)
  }

  /// The address of a port's full name.
  func address(of name: String) -> EndpointAddress { state.withLock { $0.address(of: name) } }

  /// The full name at an address; nil if the address was never used.
  func name(of address: EndpointAddress) -> String? { state.withLock { $0.names[address] } }

  /// The ports at present.
  func list(of client: JACKClient) -> EndpointList {
    guard !client.isAway else { return EndpointList(devices: []) }
    let (sources, destinations) = (client.midiPorts(true), client.midiPorts(false))
    let hardware = Set(client.midiPorts(true, isPhysical: true))
      .union(client.midiPorts(false, isPhysical: true))
    return state.withLock { $0.list(sources, destinations, hardware) }
  }

  /// A name for a port that is different from all our ports, without the client's name at the
  /// start.
  private func unused(_ name: String, of client: JACKClient) -> String {
    var name = name
    let prefix = client.wishedName + " "
    if name.hasPrefix(prefix), name.count > prefix.count { name.removeFirst(prefix.count) }
    return state.withLock { state in
      var (candidate, number) = (name, 1)
      while !state.taken.insert(candidate).inserted {
        number += 1
        candidate = "\(name) \(number)"
      }
      return candidate
    }
  }
}

extension JACKPorts.State {
  mutating func address(of name: String) -> EndpointAddress {
    let address = numbering.address(of: name)
    names[address] = name
    return address
  }

  /// The ports as devices, in the server's order.
  mutating func list(
    _ sources: [String], _ destinations: [String], _ hardware: Set<String>
  ) -> EndpointList {
    var entities: [(device: String, entity: MIDIEntity)] = []
    for (names, direction) in [(sources, Endpoint.Direction.source), (destinations, .destination)] {
      for name in names {
        guard let (device, port) = Self.parts(of: name) else { continue }
        guard !JACKPorts.isBridge(device) || bridged.contains(name) else { continue }
        let address = address(of: name)
        let endpoint = Endpoint(
          .jack, direction: direction, address: address, deviceName: device, name: port,
          isHardware: hardware.contains(name))
        let entity = MIDIEntity(
          port: address.port, name: port, source: direction == .source ? endpoint : nil,
          destination: direction == .destination ? endpoint : nil)
        entities.append((device, entity))
      }
    }
    var devices: [String] = []
    for entity in entities where !devices.contains(entity.device) { devices.append(entity.device) }
    return EndpointList(
      devices: devices.map { device in
        let own = entities.filter { $0.device == device }.map(\.entity)
        let first = own.first?.source ?? own.first?.destination
        return MIDIDevice(
          .jack, number: first?.address.client ?? 0, name: device, entities: own)
      })
  }

  /// The client and the port of a full name, separated by the first colon.
  private static func parts(of name: String) -> (device: String, port: String)? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    return (String(name[..<colon]), String(name[name.index(after: colon)...]))
  }
}

extension JACKPorts {
  fileprivate static func isBridge(_ device: String) -> Bool { bridges.contains(device) }
}
