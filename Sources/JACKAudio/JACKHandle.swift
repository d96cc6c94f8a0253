// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc
internal import Synchronization

/// A client of a server, active from its opening on.
@safe
final class JACKHandle: @unchecked Sendable {
  // Unchecked: both are set once, and JACK's functions may be called on any thread.

  let server: JACKServer
  let table: UnsafePointer<CJACKTable>
  let client: OpaquePointer
  private let callees = Mutex<[JACKCallee]>([])

  /// The kinds of port there are.
  static let audio = "32 bit float mono audio"
  static let midi = "8 bit raw midi"

  /// Opens a client that does nothing yet.
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

  /// Takes a client that was opened.
  init(_ server: JACKServer, _ table: UnsafePointer<CJACKTable>, client: OpaquePointer) {
    self.server = server
    unsafe self.table = table
    unsafe self.client = client
  }

  deinit { unsafe JACKClosing.close(table, client, calling: callees.withLock { $0 }) }

  /// The context with which the client is to call an object; kept until the client is closed, or no
  /// longer calls it.
  func context(for target: any AnyObject & Sendable) -> UnsafeMutableRawPointer {
    let callee = JACKCallee(target)
    callees.withLock { $0.append(callee) }
    return unsafe Unmanaged.passUnretained(callee).toOpaque()
  }

  /// Lets go of an object that the client calls no more.
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
  /// How programs are to show it is not said: such properties lie in a database that all of a server's
  /// clients share, and one that is killed in it leaves it broken for the others.
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

  /// The ports of others that sound or messages can go to, or come from, in the server's order.
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

  /// Our own ports that are all that some of ours hear, directly or through clients that hear nothing
  /// else; none where they hear anything else, or nothing.
  ///
  /// Which of its ports another client hears by which of them it gives on nobody knows.
  func ownSources(of ports: [JACKPort]) -> Set<String> {
    let own = name + ":"
    // What they give comes from no port.
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

  /// Has the server ask all clients anew how late their ports are.
  func recomputeLatencies() { _ = unsafe table.pointee.recompute_total_latencies(client) }

  /// The full names of the ports that one of ours is connected to.
  func connections(of port: JACKPort) -> [String] {
    unsafe Self.names(table.pointee.port_get_all_connections(client, port.pointer), table)
  }

  /// Reads a list and gives it back.
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

  /// Connects two ports; those that are connected already stay so.
  @discardableResult
  func connect(_ source: String, to destination: String) -> Bool {
    let code = unsafe table.pointee.connect(client, source, destination)
    return code == 0 || code == EEXIST
  }
}
