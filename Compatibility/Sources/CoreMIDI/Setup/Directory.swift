// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import MIDIPorts
internal import Synchronization

/// The objects of the sequencer's clients: clients of the kernel are devices, and programs have
/// endpoints without a device.
///
/// A device or port that disappears and returns is the same object, with the same numbers.
struct Directory: Sendable {
  /// The kernel's devices, including devices that are unplugged.
  private(set) var devices: [DeviceObject] = []
  /// The endpoints that exist now.
  private(set) var endpoints: [EndpointObject] = []

  private var knownDevices: [Place: DeviceObject] = [:]
  private var knownEntities: [Place: EntityObject] = [:]
  private var knownEndpoints: [Place: EndpointObject] = [:]

  /// The identity of an object: its client's name, its number among clients with that name, and its
  /// port.
  private struct Place: Hashable, Sendable {
    var device: String
    var turn: Int
    var port: UInt8 = 0
    var name = ""
    var isSource = false

    var description: String { "\(device)#\(turn):\(port) \(name) \(isSource)" }
  }

  /// Updates the objects from a new list, and appends the changes to `notices`.
  mutating func take(
    _ list: EndpointList, _ uniqueIDs: inout UniqueIDs, _ notices: inout [Notice]
  ) {
    let before = (devices: presentDevices, endpoints: endpoints)
    var (found, present): ([EndpointObject], [DeviceObject]) = ([], [])
    var turns: [String: Int] = [:]
    for device in list.devices where device.number != 0 {
      turns[device.name, default: 0] += 1
      let place = Place(device: device.name, turn: turns[device.name, default: 1])
      let owner = device.isKernel ? self.device(device, place, &uniqueIDs) : nil
      if let owner { present.append(owner) }
      for entity in device.entities {
        found += take(entity, place, of: owner, &uniqueIDs)
      }
    }
    endpoints = found
    for device in devices {
      let isAway = !present.contains { $0 === device }
      device.properties.withLock { $0["offline"] = .integer(isAway ? 1 : 0) }
    }
    for endpoint in before.endpoints where !found.contains(where: { $0 === endpoint }) {
      endpoint.alsa.withLock { $0 = nil }
    }
    Notice.compare(before.devices, present, &notices)
    Notice.compare(before.endpoints, found, &notices)
  }

  private var presentDevices: [DeviceObject] {
    devices.filter { $0.properties.withLock { $0.integer("offline") } == 0 }
  }

  private mutating func device(
    _ device: MIDIDevice, _ place: Place, _ uniqueIDs: inout UniqueIDs
  ) -> DeviceObject {
    if let known = knownDevices[place] { return known }
    let made = DeviceObject(
      .device,
      properties: ObjectProperties(
        name: device.name, uniqueID: uniqueIDs.unused(for: place.description),
        others: ["driver": .string("ALSA"), "offline": .integer(0)]))
    Self.enroll(made, &uniqueIDs)
    knownDevices[place] = made
    devices.append(made)
    return made
  }

  private mutating func take(
    _ entity: MIDIEntity, _ device: Place, of owner: DeviceObject?,
    _ uniqueIDs: inout UniqueIDs
  ) -> [EndpointObject] {
    var place = device
    (place.port, place.name) = (entity.port, entity.name)
    let node = owner.map { self.entity(place, of: $0, &uniqueIDs) }
    let found = [entity.source, entity.destination].compactMap(\.self).map { endpoint in
      self.endpoint(endpoint, place, of: node, &uniqueIDs)
    }
    node?.endpoints.withLock { $0 = found }
    return found
  }

  private mutating func entity(
    _ place: Place, of device: DeviceObject, _ uniqueIDs: inout UniqueIDs
  ) -> EntityObject {
    if let known = knownEntities[place] { return known }
    let made = EntityObject(
      .entity, owner: device,
      properties: ObjectProperties(
        name: place.name, uniqueID: uniqueIDs.unused(for: "entity \(place.description)")))
    Self.enroll(made, &uniqueIDs)
    knownEntities[place] = made
    device.entities.withLock { $0.append(made) }
    return made
  }

  private mutating func endpoint(
    _ endpoint: Endpoint, _ device: Place, of entity: EntityObject?, _ uniqueIDs: inout UniqueIDs
  ) -> EndpointObject {
    var place = device
    place.isSource = endpoint.direction == .source
    if let known = knownEndpoints[place] {
      known.alsa.withLock { $0 = endpoint }
      return known
    }
    let made = EndpointObject(
      place.isSource ? .source : .destination, owner: entity,
      properties: ObjectProperties(
        name: endpoint.name, uniqueID: uniqueIDs.unused(for: "endpoint \(place.description)"),
        others: entity == nil ? ["model": .string(endpoint.deviceName)] : [:]),
      alsa: endpoint)
    Self.enroll(made, &uniqueIDs)
    knownEndpoints[place] = made
    return made
  }

  private static func enroll(_ object: MIDIObject, _ uniqueIDs: inout UniqueIDs) {
    object.enroll()
    if let number = object.properties.withLock({ $0.integer("uniqueID") }) {
      _ = uniqueIDs.give(number, to: object)
    }
  }

  /// The endpoint at an address.
  func source(at address: EndpointAddress) -> EndpointObject? {
    endpoints.first { $0.isSource && $0.alsa.withLock { $0?.address } == address }
  }
}
