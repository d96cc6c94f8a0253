// SPDX-License-Identifier: Apache-2.0
internal import CAvahi
internal import NetworkSockets
internal import Realtime

/// The work of the directory's thread: a client of Avahi, found services and announcements.
///
/// Source: Avahi 0.8, avahi-client.
@safe
final class AvahiRun {
  /// The pause before the next attempt without a bus or daemon, in milliseconds.
  private static let pause: Int32 = 3_000

  /// A service on one interface and IP version.
  private struct Place: Hashable {
    let interface: Int32
    let version: Int32
    let name: String
    let domain: String
  }

  @safe private struct Found {
    var resolver: OpaquePointer?
    var service: ServiceDirectory.Service?
  }

  @safe private struct Announcement {
    var name: String
    let port: UInt16
    var group: OpaquePointer?
  }

  private let poll: AvahiPolling
  private let mailbox: Mailbox<ServiceDirectory.Command>
  private let publish: (ServiceDirectory.Knowledge) -> Void
  private var client: OpaquePointer?
  private var browser: OpaquePointer?
  private var found: [Place: Found] = [:]
  private var announcements: [Announcement] = []
  private var knowledge = ServiceDirectory.Knowledge()
  private var isResolved: Set<Place> = []
  private var isListed = false
  private var isBroken = false
  private var hasEnded = false

  init(
    _ poll: AvahiPolling, _ mailbox: Mailbox<ServiceDirectory.Command>,
    _ publish: @escaping (ServiceDirectory.Knowledge) -> Void
  ) {
    (self.poll, self.mailbox, self.publish) = (poll, mailbox, publish)
  }

  private var table: CAvahiTable { unsafe poll.library.pointee }
  private var me: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// Runs until the command `end`.
  func run() {
    while true {
      mailbox.takeEach { perform($0) }
      if hasEnded { break }
      if unsafe client == nil { connect() }
      let isWell = poll.iterate(milliseconds: unsafe client == nil ? Self.pause : -1) {
        mailbox.hasLetters
      }
      if isBroken || !isWell { disconnect() }
    }
    disconnect()
  }

  private func perform(_ command: ServiceDirectory.Command) {
    switch command {
    case .announce(let name, let port):
      unsafe announcements.append(Announcement(name: name, port: port))
      if knowledge.isThere { announce(announcements.count - 1) }
    case .withdraw(let port):
      for announcement in announcements {
        if let group = unsafe announcement.group, announcement.port == port {
          unsafe _ = table.entry_group_free(group)
        }
      }
      announcements.removeAll { $0.port == port }
    case .end: hasEnded = true
    }
  }

  private func connect() {
    var code: Int32 = 0
    unsafe client = table.client_new(
      poll.interface, AVAHI_CLIENT_NO_FAIL,
      { client, state, run in unsafe AvahiRun.of(run)?.heard(state, of: client) }, me, &code)
    // Without a bus, the connection is tried again later.
    if unsafe client == nil { tell { $0.isSettled = true } }
  }

  private func disconnect() {
    if let client = unsafe client { unsafe table.client_free(client) }
    unsafe (client, browser, isBroken) = (nil, nil, false)
    found = [:]
    for index in announcements.indices { unsafe announcements[index].group = nil }
    tell { ($0.services, $0.isThere) = ([], false) }
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> AvahiRun? {
    unsafe pointer.map { unsafe Unmanaged<AvahiRun>.fromOpaque($0).takeUnretainedValue() }
  }

  private func tell(_ change: (inout ServiceDirectory.Knowledge) -> Void) {
    change(&knowledge)
    publish(knowledge)
  }

  private func heard(_ state: AvahiClientState, of client: OpaquePointer?) {
    // The first call is before `client_new` returns.
    unsafe self.client = client
    switch state {
    case AVAHI_CLIENT_S_RUNNING:
      tell { $0.isThere = true }
      browse()
      for index in announcements.indices { announce(index) }
    case AVAHI_CLIENT_FAILURE: isBroken = true
    case AVAHI_CLIENT_CONNECTING:
      tell { ($0.services, $0.isThere, $0.isSettled) = ([], false, true) }
    default:
      // The name of the host has changed: announce all services again.
      for announcement in announcements {
        if let group = unsafe announcement.group { unsafe _ = table.entry_group_reset(group) }
      }
    }
  }

  private func browse() {
    guard unsafe browser == nil else { return }
    unsafe browser = table.service_browser_new(
      client, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
      ServiceDirectory.type, nil,
      AvahiLookupFlags(rawValue: 0),
      { _, interface, version, event, name, _, domain, flags, run in
        unsafe AvahiRun.of(run)?.heard(
          event,
          Place(
            interface: interface, version: version,
            name: name.map { unsafe String(cString: $0) } ?? "",
            domain: domain.map { unsafe String(cString: $0) } ?? ""), flags)
      }, me)
  }

  private func heard(
    _ event: AvahiBrowserEvent, _ place: Place, _ flags: AvahiLookupResultFlags
  ) {
    switch event {
    case AVAHI_BROWSER_NEW:
      guard flags.rawValue & AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue == 0 else { return }
      resolve(place)
    case AVAHI_BROWSER_REMOVE:
      if let resolver = unsafe found.removeValue(forKey: place)?.resolver {
        unsafe _ = table.service_resolver_free(resolver)
      }
      tellServices()
    case AVAHI_BROWSER_ALL_FOR_NOW: settleSoon()
    case AVAHI_BROWSER_FAILURE: isBroken = true
    default: break
    }
  }

  private func resolve(_ place: Place) {
    guard found[place] == nil, found.count < 1_000 else { return }
    found[place] = Found()
    let resolver = unsafe table.service_resolver_new(
      client, place.interface, place.version, place.name, ServiceDirectory.type, place.domain,
      AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiLookupFlags(rawValue: 0),
      { _, interface, version, event, name, _, domain, host, address, port, _, _, run in
        guard let name = unsafe name, let domain = unsafe domain else { return }
        unsafe AvahiRun.of(run)?.heard(
          event,
          Place(
            interface: interface, version: version, name: String(cString: name),
            domain: String(cString: domain)),
          host: host.map { unsafe String(cString: $0) } ?? "",
          address: address.map { unsafe $0.pointee }, port: port)
      }, me)
    unsafe found[place]?.resolver = resolver
  }

  private func heard(
    _ event: AvahiResolverEvent, _ place: Place, host: String, address: AvahiAddress?,
    port: UInt16
  ) {
    if event == AVAHI_RESOLVER_FOUND,
      let address = address.map({ Self.address($0, place.interface) })
    {
      found[place]?.service = ServiceDirectory.Service(
        name: place.name, host: host, address: SocketAddress(address, port: port))
    }
    isResolved.insert(place)
    tellServices()
    settleIfDone()
  }

  /// All services are listed, but some are still being resolved.
  private func settleSoon() {
    isListed = true
    settleIfDone()
  }

  private func settleIfDone() {
    guard isListed, found.keys.allSatisfy({ isResolved.contains($0) }) else { return }
    tell { $0.isSettled = true }
  }

  /// Publishes one address for each service, preferably IPv4 and not link-local.
  private func tellServices() {
    var best: [String: ServiceDirectory.Service] = [:]
    for service in found.values.compactMap({ $0.service }) {
      let other = best[service.name]
      if other.map({ Self.rank(service) < Self.rank($0) }) ?? true { best[service.name] = service }
    }
    let services = best.values.sorted { $0.name < $1.name }
    if services != knowledge.services { tell { $0.services = services } }
  }

  private static func rank(_ service: ServiceDirectory.Service) -> (Int, String) {
    let address = service.address.address
    return (
      (address.isV6 ? 2 : 0) + (address.isLinkLocal || address.isLoopback ? 1 : 0),
      "\(service.address)"
    )
  }

  private static func address(_ address: AvahiAddress, _ interface: Int32) -> IPAddress {
    guard address.proto == AvahiProtocol(AVAHI_PROTO_INET6) else {
      return .v4(UInt32(bigEndian: unsafe address.data.ipv4.address))
    }
    let octets = unsafe address.data.ipv6.address
    let bits = unsafe withUnsafeBytes(of: octets) {
      unsafe $0.reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
    }
    return IPAddress.v6(bits, scope: 0).scoped(to: UInt32(max(0, interface)))
  }

  private func announce(_ index: Int) {
    if unsafe announcements[index].group == nil {
      unsafe announcements[index].group = table.entry_group_new(
        client,
        { group, state, run in unsafe AvahiRun.of(run)?.heard(state, of: group) }, me)
    }
    guard let group = unsafe announcements[index].group else { return }
    let code = unsafe table.entry_group_add_service_strlst(
      group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC),
      AvahiPublishFlags(rawValue: 0),
      announcements[index].name, ServiceDirectory.type, nil, nil, announcements[index].port, nil)
    if code == Int32(AVAHI_ERR_COLLISION) { return rename(index) }
    if code >= 0 { unsafe _ = table.entry_group_commit(group) }
  }

  private func heard(_ state: AvahiEntryGroupState, of group: OpaquePointer?) {
    guard state == AVAHI_ENTRY_GROUP_COLLISION,
      let index = announcements.firstIndex(where: { unsafe $0.group == group })
    else { return }
    rename(index)
  }

  private func rename(_ index: Int) {
    guard let next = unsafe table.alternative_service_name(announcements[index].name) else {
      return
    }
    unsafe announcements[index].name = String(cString: next)
    unsafe table.free(next)
    if let group = unsafe announcements[index].group { unsafe _ = table.entry_group_reset(group) }
    announce(index)
  }
}
