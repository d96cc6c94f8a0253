// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Foundation
internal import MIDIMessages
internal import MusicalTime
internal import Synchronization

/// A thru connection: it changes the messages of its sources and sends them to its destinations.
final class ThruObject: MIDIObject, @unchecked Sendable {
  // Unchecked, as its superclass.

  /// The name with which it can be found, or nil.
  let ownerName: String?
  private let client: ClientObject
  private let output: OutputPortObject
  private let state: Mutex<State>

  private struct State: Sendable {
    var bytes: [UInt8] = []
    var map = ThruMap()
    var controls = ControlMap()
    var parsers: [MIDIObjectRef: MessageParser] = [:]
    var inputs: [InputPortObject] = []
    var destinations: [EndpointObject] = []
  }

  init(owner: String?, _ settings: ThruSettings, _ bytes: [UInt8]) {
    ownerName = owner
    let alsa = MIDISetup.shared.openClient(name: "thru")
    client = ClientObject(name: "thru", alsa: alsa, listener: nil)
    output = OutputPortObject(client, name: "thru out")
    state = Mutex(State())
    super.init(.other, properties: ObjectProperties(name: "thru"))
    use(settings, bytes)
  }

  var bytes: [UInt8] { state.withLock(\.bytes) }

  /// Applies other parameters; a sounding note is released at the destination at which it started.
  func use(_ settings: ThruSettings, _ bytes: [UInt8]) {
    let inputs = settings.sources.compactMap(Self.endpoint).filter(\.isSource).map(input)
    let destinations = settings.destinations.compactMap(Self.endpoint).filter { !$0.isSource }
    let old = state.withLock { state in
      defer { state.inputs = inputs }
      state.bytes = bytes
      state.map.filter = settings.filter
      state.map.transform = settings.transform
      state.controls = settings.controlMap
      state.destinations = destinations
      return state.inputs
    }
    for input in old { MIDISetup.shared.dispose(input) }
  }

  /// Ends the connection.
  func end() {
    let inputs = state.withLock { state in
      defer { state.inputs = [] }
      return state.inputs
    }
    for input in inputs { MIDISetup.shared.dispose(input) }
    dismiss()
  }

  /// The endpoint of a parameter, by its reference number or its unique ID.
  private static func endpoint(_ place: MIDIThruConnectionEndpoint) -> EndpointObject? {
    if let found = EndpointObject.find(place.endpointRef) { return found }
    return MIDISetup.shared.with { $0.uniqueIDs.owner(of: place.uniqueID) as? EndpointObject }
  }

  /// A port that receives from one source.
  private func input(_ source: EndpointObject) -> InputPortObject {
    let feed = client.alsa.flatMap { InputFeed($0, name: "thru in") }
    let reader = unsafe PacketReader { [weak self] list, _ in
      unsafe self?.take([TimedBytes](list), from: source.number)
    }
    let port = InputPortObject(client, name: "thru in", reader: reader, input: feed)
    port.enroll()
    feed?.start { [weak port] sender, packets in port?.take(packets, from: sender) }
    MIDIPortConnectSource(port.number, source.number, nil)
    return port
  }

  private func take(_ packets: [TimedBytes], from source: MIDIObjectRef) {
    let (sent, destinations) = state.withLock { state in
      (Self.apply(packets, source, &state), state.destinations)
    }
    guard !sent.isEmpty else { return }
    for destination in destinations { _ = output.send(sent, to: destination) }
  }

  private static func apply(
    _ packets: [TimedBytes], _ source: MIDIObjectRef, _ state: inout State
  ) -> [TimedBytes] {
    var received = HostEventBuffer(capacity: packets.count, payloadCapacity: 256)
    for packet in packets {
      let time = HostTime(nanoseconds: Int64(clamping: packet.time))
      state.parsers[source, default: MessageParser()].parse(
        packet.bytes.span, time: time, into: &received)
    }
    var passed = HostEventBuffer(capacity: received.events.count, payloadCapacity: 256)
    for event in received.events {
      state.map.apply(event, payloads: received.payloads.span, into: &passed)
    }
    var sent: [TimedBytes] = []
    var encoder = MessageEncoder()
    func send(_ time: HostTime, _ encode: (inout [UInt8]) -> Void) {
      var bytes: [UInt8] = []
      encode(&bytes)
      sent.append(TimedBytes(time: UInt64(clamping: time.nanoseconds), bytes: bytes))
    }
    for event in passed.events {
      switch event.payload {
      case .message(let message):
        state.controls.apply(message) { changed in
          send(event.time) { encoder.encode(changed, into: &$0) }
        }
      case .sysEx(let place):
        let range = Int(place.offset)..<Int(place.offset) + Int(place.count)
        send(event.time) {
          encoder.encode(sysEx: passed.payloads.span.extracting(range), into: &$0)
        }
      case .parameter, .fact, .sysExPart: break
      }
    }
    return sent
  }
}
