// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import JSONText
package import MIDIPorts

/// The ports as text and as JSON.
package struct PortReport {
  /// The header of the table, as in aplaymidi.
  package static let head = " Port    Client name                      Port name"

  package let list: EndpointList
  let connections: [EndpointConnection]

  /// A line for each port with one of the directions.
  package func lines(_ directions: [Endpoint.Direction]) -> [String] {
    list.devices.filter { $0.number != 0 }.flatMap { device in
      device.entities
        .filter { entity in directions.contains { entity.endpoint($0) != nil } }
        .map { Self.line(device, $0) }
    }
  }

  /// A line for each connection.
  var connectionLines: [String] {
    connections.map { "\(name($0.source)) -> \(name($0.destination))" }
  }

  /// The JSON document.
  package var json: JSONValue {
    .object([
      ("v", 1), ("type", "ports"), ("devices", .array(list.devices.map(Self.json))),
      ("connections", .array(connections.map(Self.json))),
    ])
  }

  package static func json(_ connection: EndpointConnection) -> JSONValue {
    .object(members(connection))
  }

  /// The JSON document about a change of a connection.
  package static func json(_ type: String, _ connection: EndpointConnection) -> JSONValue {
    JSONValue.object([("v", 1), ("type", .text(type))] + members(connection))
  }

  private static func members(
    _ connection: EndpointConnection
  ) -> [(name: String, value: JSONValue)] {
    [("from", .text("\(connection.source)")), ("to", .text("\(connection.destination)"))]
  }

  package static func json(_ endpoint: Endpoint) -> [(name: String, value: JSONValue)] {
    [
      ("address", .text(endpoint.fullName)), ("direction", .text("\(endpoint.direction)")),
      ("client", .text(endpoint.deviceName)), ("name", .text(endpoint.name)),
    ]
  }

  /// The JSON list of some endpoints.
  package static func json(_ endpoints: [Endpoint]) -> JSONValue {
    .array(endpoints.map { .object(json($0)) })
  }

  private func name(_ address: EndpointAddress) -> String {
    let found = list.endpoint(at: address, .source) ?? list.endpoint(at: address, .destination)
    return found?.description ?? "\(address)"
  }

  /// A line of the table; ports of other kinds than ALSA have their kind in place of numbers.
  private static func line(_ device: MIDIDevice, _ entity: MIDIEntity) -> String {
    let client = padded("\(device.number)", to: 3, atFront: true)
    let address =
      device.kind == .alsa
      ? "\(client):\(padded("\(entity.port)", to: 3))" : padded("\(device.kind):", to: 7)
    return "\(address)  \(padded(cut(device.name, to: 32), to: 32)) \(entity.name)"
  }

  private static func cut(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var kept = text
    while kept.utf8.count > bytes { kept.removeLast() }
    return kept
  }

  private static func padded(_ text: String, to width: Int, atFront: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.utf8.count))
    return atFront ? space + text : text + space
  }

  private static func json(_ device: MIDIDevice) -> JSONValue {
    .object([
      ("kind", .text("\(device.kind)")),
      ("number", device.kind == .alsa ? .integer(Int(device.number)) : .null),
      ("name", .text(device.name)), ("kernel", .bool(device.isKernel)),
      ("card", device.card.map(JSONValue.integer) ?? .null),
      ("process", device.process.map(JSONValue.integer) ?? .null),
      ("ports", .array(device.entities.map { json($0, of: device) })),
    ])
  }

  private static func json(_ entity: MIDIEntity, of device: MIDIDevice) -> JSONValue {
    let endpoint = entity.source ?? entity.destination
    return .object([
      ("address", JSONReport.text(endpoint?.fullName)), ("name", .text(entity.name)),
      ("source", .bool(entity.source != nil)), ("destination", .bool(entity.destination != nil)),
      ("hardware", .bool(endpoint?.isHardware ?? false)),
    ])
  }
}
