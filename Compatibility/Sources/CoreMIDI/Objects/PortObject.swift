// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Synchronization

/// A port with which a client sends.
final class OutputPortObject: MIDIObject, @unchecked Sendable {
  // Unchecked, as its superclass.
  let client: ClientObject
  private let links = Mutex<[ObjectIdentifier: OutputLink]>([:])

  init(_ client: ClientObject, name: String) {
    self.client = client
    super.init(.other, owner: client, properties: ObjectProperties(name: name))
  }

  /// The link to a destination of ALSA, or nil if the destination does not exist any more.
  func link(to endpoint: EndpointObject) -> OutputLink? {
    guard let target = endpoint.alsa.withLock({ $0 }), let alsa = client.alsa else { return nil }
    return links.withLock { links in
      if let link = links[ObjectIdentifier(endpoint)], link.target == target { return link }
      let link = OutputLink(alsa, name: name, to: target, speed: endpoint.sysExSpeed)
      links[ObjectIdentifier(endpoint)] = link
      return link
    }
  }

  /// The links to one destination, or to all destinations if it is nil.
  func links(to endpoint: EndpointObject?) -> [OutputLink] {
    links.withLock { links in
      guard let endpoint else { return Array(links.values) }
      return links[ObjectIdentifier(endpoint)].map { [$0] } ?? []
    }
  }
}

/// A port with which a client receives.
final class InputPortObject: MIDIObject, @unchecked Sendable {
  // Unchecked, as its superclass.
  let client: ClientObject
  let reader: PacketReader
  /// Its port in the kernel's sequencer, or nil without a sequencer.
  let input: InputFeed?
  private let connections = Mutex<[MIDIObjectRef: Connection]>([:])

  /// A connection to a source, with the program's pointer.
  @safe
  struct Connection: @unchecked Sendable {
    // Unchecked: the pointer is only passed back to the program.
    let source: EndpointObject
    let data: UnsafeMutableRawPointer?
  }

  init(_ client: ClientObject, name: String, reader: PacketReader, input: InputFeed?) {
    (self.client, self.reader, self.input) = (client, reader, input)
    super.init(.other, owner: client, properties: ObjectProperties(name: name))
  }

  @unsafe
  func connect(_ source: EndpointObject, _ data: UnsafeMutableRawPointer?) {
    connections.withLock {
      unsafe $0[source.number] = Connection(source: source, data: data)
    }
  }

  /// Removes a connection; returns false if it does not exist.
  func disconnect(_ source: EndpointObject) -> Bool {
    connections.withLock { $0.removeValue(forKey: source.number) != nil }
  }

  func connection(to source: EndpointObject) -> Connection? {
    connections.withLock { $0[source.number] }
  }

  /// The connected sources.
  var sources: [EndpointObject] { connections.withLock { $0.values.map(\.source) } }
}
