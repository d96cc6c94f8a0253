// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc
internal import Synchronization

/// An open client of a server.
@safe
final class JACKHandle: @unchecked Sendable {
  // Unchecked: properties are set once, and JACK's functions may be called on any thread.

  let server: JACKServer
  let table: UnsafePointer<CJACKTable>
  let client: OpaquePointer
  private let callees = Mutex<[JACKCallee]>([])

  /// The types of ports.
  static let audio = "32 bit float mono audio"
  static let midi = "8 bit raw midi"

  /// Opens a client that is not active yet.
  init(_ server: JACKServer, name: String) throws(JACKError) {
    guard let table = unsafe server.table else { throw .noLibrary(server) }
    var status = JackFailure
    guard let client = unsafe cjack_open(table, name, &status) else {
      throw .refused(server, status: status.rawValue)
    }
    self.server = server
    unsafe self.table = table
    unsafe self.client = client
  }

  /// Takes ownership of an open client.
  init(_ server: JACKServer, _ table: UnsafePointer<CJACKTable>, client: OpaquePointer) {
    self.server = server
    unsafe self.table = table
    unsafe self.client = client
  }

  deinit { unsafe JACKClosing.close(table, client, calling: callees.withLock { $0 }) }

  /// The context with which the client calls an object; retained until the client is closed, or
  /// does not call it any more.
  func context(for target: any AnyObject & Sendable) -> UnsafeMutableRawPointer {
    let callee = JACKCallee(target)
    callees.withLock { $0.append(callee) }
    return unsafe Unmanaged.passUnretained(callee).toOpaque()
  }

  /// Releases an object that the client does not call any more.
  func forget(_ target: AnyObject) {
    callees.withLock { callees in callees.removeAll { $0.target === target } }
  }

  var library: JACKLibrary { unsafe JACKLibrary(table: table) }
  var name: String {
    unsafe table.pointee.get_client_name(client).map { unsafe String(cString: $0) } ?? ""
  }
  var hertz: UInt32 { unsafe table.pointee.get_sample_rate(client) }
  var bufferFrames: Int { unsafe Int(table.pointee.get_buffer_size(client)) }

  func activate() -> Bool { unsafe table.pointee.activate(client) == 0 }

  /// Registers a port.
  ///
  /// Properties for display are not set: they are in a database that all clients of a server share,
  /// and that is damaged for all if a client is killed while it writes.
  func port(
    _ name: String, _ type: String, _ flags: JackPortFlags...
  ) throws(JACKError) -> JACKPort {
    let bits = flags.reduce(0) { $0 | UInt($1.rawValue) }
    guard let port = unsafe table.pointee.port_register(client, name, type, bits, 0) else {
      throw .cannotRegister(port: "\(self.name):\(name)")
    }
    return unsafe JACKPort(pointer: port)
  }

  func remove(_ port: JACKPort) {
    _ = unsafe table.pointee.port_unregister(client, port.pointer)
  }

  func name(of port: JACKPort) -> String {
    unsafe table.pointee.port_name(port.pointer).map { unsafe String(cString: $0) } ?? ""
  }

  /// The ports of other clients with a type and flags, in the server's order.
  func ports(
    _ type: String, _ flags: JackPortFlags..., ofClient name: String? = nil
  ) -> [String] {
    let bits = flags.reduce(0) { $0 | UInt($1.rawValue) }
    let names = unsafe Self.names(table.pointee.get_ports(client, nil, type, bits), table)
    let own = self.name + ":"
    return names.filter { port in
      !port.hasPrefix(own) && (name.map { port.hasPrefix($0 + ":") || port == $0 } ?? true)
    }
  }

  /// The own ports that are the only sources of some ports, directly or through clients without
  /// other sources; empty if there is another source, or none.
  ///
  /// It is unknown which inputs of another client affect which of its outputs.
  func ownSources(of ports: [JACKPort]) -> Set<String> {
    let own = name + ":"
    // The sound of these ports does not depend on other ports.
    let beginnings = Set(self.ports(Self.audio, JackPortIsOutput, JackPortIsTerminal))
    var (found, seen): (Set<String>, Set<Substring>) = ([], [])
    var waiting = ports.flatMap(connections)
    while let source = waiting.popLast() {
      guard !source.hasPrefix(own) else {
        found.insert(source)
        continue
      }
      let client = source.prefix { $0 != ":" }
      guard !beginnings.contains(source) else { return [] }
      guard seen.insert(client).inserted else { continue }
      let heard = self.ports(Self.audio, JackPortIsInput, ofClient: String(client))
        .flatMap { unsafe table.pointee.port_by_name(self.client, $0).map(connections) ?? [] }
      guard !heard.isEmpty else { return [] }
      waiting += heard
    }
    return found
  }

  private func connections(of port: OpaquePointer) -> [String] {
    unsafe connections(of: JACKPort(pointer: port))
  }

  /// Makes the server ask all clients for their latencies.
  func recomputeLatencies() { _ = unsafe table.pointee.recompute_total_latencies(client) }

  /// The full names of the ports that a port of ours is connected to.
  func connections(of port: JACKPort) -> [String] {
    unsafe Self.names(table.pointee.port_get_all_connections(client, port.pointer), table)
  }

  /// Copies a list of names and frees it.
  private static func names(
    _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ table: UnsafePointer<CJACKTable>
  ) -> [String] {
    guard let list = unsafe list else { return [] }
    defer { unsafe table.pointee.free(list) }
    var names: [String] = []
    var place = 0
    while let text = unsafe list[place] {
      unsafe names.append(String(cString: text))
      place += 1
    }
    return names
  }

  /// Connects two ports; true if they are connected.
  @discardableResult
  func connect(_ source: String, to destination: String) -> Bool {
    let code = unsafe table.pointee.connect(client, source, destination)
    return code == 0 || code == EEXIST
  }
}
