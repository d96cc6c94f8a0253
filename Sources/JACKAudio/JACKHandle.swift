// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc

/// A client of a server, active from its opening on.
@safe
final class JACKHandle: @unchecked Sendable {
  // Unchecked: both are set once, and JACK's functions may be called on any thread; ports are made by
  // one at a time.

  let server: JACKServer
  let table: UnsafePointer<CJACKTable>
  let client: OpaquePointer
  /// How many ports were made.
  private var portCount = 0

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

  deinit {
    _ = unsafe table.pointee.client_close(client)
  }

  var library: JACKLibrary { unsafe JACKLibrary(table: table) }
  var name: String {
    unsafe table.pointee.get_client_name(client).map { unsafe String(cString: $0) } ?? ""
  }
  var hertz: UInt32 { unsafe table.pointee.get_sample_rate(client) }
  var bufferFrames: Int { unsafe Int(table.pointee.get_buffer_size(client)) }

  func activate() -> Bool { unsafe table.pointee.activate(client) == 0 }

  /// Registers a port, and says how programs are to show it: by its title, and behind those that were
  /// registered before.
  func port(
    _ name: String, title: String, _ type: String, _ flags: JackPortFlags...
  ) throws(JACKError) -> JACKPort {
    let bits = flags.reduce(0) { $0 | UInt($1.rawValue) }
    guard let port = unsafe table.pointee.port_register(client, name, type, bits, 0) else {
      throw .cannotRegister(port: "\(self.name):\(name)")
    }
    portCount += 1
    unsafe describe(port, [("pretty-name", title, ""), ("order", "\(portCount)", Self.integer)])
    return unsafe JACKPort(pointer: port)
  }

  /// The type of a property that is a whole number; a text has none.
  private static let integer = "http://www.w3.org/2001/XMLSchema#int"

  /// Says something of a port; nothing where the server's library is older than such properties.
  ///
  /// Nothing is taken back: the server forgets them with the port, and they lie in a database that all
  /// its clients share, where each access may have to wait for another program's.
  private func describe(
    _ port: OpaquePointer, _ properties: [(key: String, value: String, type: String)]
  ) {
    guard let set = unsafe table.pointee.set_property,
      let uuid = unsafe table.pointee.port_uuid.map({ unsafe $0(port) })
    else { return }
    for property in properties {
      let key = "http://jackaudio.org/metadata/\(property.key)"
      _ = unsafe set(client, uuid, key, property.value, property.type)
    }
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
