// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Synchronization

/// A port of a client through which it sends.
final class OutputPortObject: MIDIObject, @unchecked Sendable {
  // Unchecked as its superclass is.
  let client: ClientObject
  private let links = Mutex<[ObjectIdentifier: OutputLink]>([:])

  init(_ client: ClientObject, name: String) {
    self.client = client
    super.init(.other, owner: client, properties: ObjectProperties(name: name))
  }

  /// The way to one of ALSA's destinations; nil where there is none any more.
  func link(to endpoint: EndpointObject) -> OutputLink? {
    guard let target = endpoint.alsa.withLock({ $0 }), let alsa = client.alsa else { return nil }
    return links.withLock { links in
      if let link = links[ObjectIdentifier(endpoint)], link.target == target { return link }
      let link = OutputLink(alsa, name: name, to: target, speed: endpoint.sysExSpeed)
      links[ObjectIdentifier(endpoint)] = link
      return link
    }
  }

  /// The ways to all destinations, or to one.
  func links(to endpoint: EndpointObject?) -> [OutputLink] {
    links.withLock { links in
      guard let endpoint else { return Array(links.values) }
      return links[ObjectIdentifier(endpoint)].map { [$0] } ?? []
    }
  }
}

/// A port of a client through which it receives.
final class InputPortObject: MIDIObject, @unchecked Sendable {
  // Unchecked as its superclass is.
  let client: ClientObject
  let reader: PacketReader
  /// Its port in the kernel's sequencer; nil where there is none.
  let input: InputFeed?
  private let connections = Mutex<[MIDIObjectRef: Connection]>([:])

  /// A source and what tells it from others.
  @safe
  struct Connection: @unchecked Sendable {
    // Unchecked: the pointer is handed back, never followed.
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

  /// Takes a connection away; returns whether there was one.
  func disconnect(_ source: EndpointObject) -> Bool {
    connections.withLock { $0.removeValue(forKey: source.number) != nil }
  }

  func connection(to source: EndpointObject) -> Connection? {
    connections.withLock { $0[source.number] }
  }

  /// The sources that it is connected with.
  var sources: [EndpointObject] { connections.withLock { $0.values.map(\.source) } }
}
