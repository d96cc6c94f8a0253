// SPDX-License-Identifier: Apache-2.0
import MIDIPorts
import Testing

@Suite struct EndpointListTests {
  /// Clients as a desk might have them; every port both sends and takes.
  private let list = EndpointList(devices: [
    device(0, "System", ["Timer", "Announce"]),
    device(14, "Midi Through", ["Midi Through Port-0"]),
    device(20, "UM-ONE", ["UM-ONE MIDI 1", "UM-ONE MIDI 2"]),
    device(24, "2x4 Synth", ["In A", "In B"]),
    device(28, "Launchpad", ["DAW", "MIDI"]),
    device(32, "Launchpad", ["DAW", "MIDI"]),
    device(128, "FLUID Synth (71)", ["Synth input port (71:0)"]),
    device(129, "14", ["main"]),
  ])

  private static func device(_ number: UInt8, _ name: String, _ ports: [String]) -> MIDIDevice {
    let entities = ports.enumerated().map { index, port in
      let address = EndpointAddress(client: number, port: UInt8(index))
      func endpoint(_ direction: Endpoint.Direction) -> Endpoint {
        Endpoint(direction: direction, address: address, deviceName: name, name: port)
      }
      return MIDIEntity(
        port: UInt8(index), name: port, source: endpoint(.source),
        destination: endpoint(.destination))
    }
    return MIDIDevice(number: number, name: name, entities: entities)
  }

  @Test(arguments: [
    ("14:0", "14:0"), ("14", "14:0"), ("20:1", "20:1"), ("0:1", "0:1"),
    ("UM-ONE", "20:0"), ("um-one", "20:0"), ("UM-ONE MIDI 2", "20:1"), ("MIDI 2", "20:1"),
    ("UM-ONE:1", "20:1"), ("um:midi 2", "20:1"), ("20:midi 2", "20:1"), ("UM-ONE: MIDI 2", "20:1"),
    ("2x4", "24:0"), ("2x4 Synth", "24:0"), ("2x4 synth:1", "24:1"), ("2x4:In B", "24:1"),
    ("fluid", "128:0"), ("FLUID Synth (71):0", "128:0"), ("71:0", "128:0"),
    ("Midi Through:0", "14:0"), ("through", "14:0"), ("Midi Through Midi Through Port-0", "14:0"),
    ("32:DAW", "32:0"), ("main", "129:0"), ("14:main", "129:0"),
  ])
  func `a text names one port`(text: String, address: String) throws {
    #expect(try list.find(text, .destination).address.description == address)
  }

  @Test(arguments: [
    ("Launchpad", ["28:0 Launchpad: DAW", "32:0 Launchpad: DAW"]),
    ("daw", ["28:0 Launchpad: DAW", "32:0 Launchpad: DAW"]),
    ("In", ["24:0 2x4 Synth: In A", "24:1 2x4 Synth: In B"]),
  ])
  func `a text that several ports answer to lists them`(text: String, names: [String]) {
    #expect(throws: EndpointError.ambiguous(text: text, candidates: names)) {
      try list.find(text, .source)
    }
  }

  @Test(arguments: ["", ":", "14:", ":0", "14:7", "99", "999:0", "nobody", "+14", "14:0:0"])
  func `a text that no port answers to lists what there is`(text: String) throws {
    let error = #expect(throws: EndpointError.self) { try list.find(text, .source) }
    guard case .unknown(text, .source, let available) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(available.contains("14:0 Midi Through Port-0"))
    #expect(!available.contains { $0.hasPrefix("0:") })
  }

  @Test func `several texts, and one with commas, name ports once each in order`() throws {
    let found = try list.find(["fluid", "24:1,24:0", "14:0", "FLUID Synth"], .destination)
    #expect(found.map(\.address.description) == ["128:0", "24:1", "24:0", "14:0"])
    #expect(throws: EndpointError.self) { try list.find(["14:0,nobody"], .destination) }
    #expect(try list.find([], .destination) == [])
  }

  @Test func `an identity is found again under another number`() throws {
    let identity = EndpointIdentity(try list.find("UM-ONE:1", .source))
    let later = EndpointList(devices: [
      Self.device(20, "Other", ["a", "b"]),
      Self.device(36, "UM-ONE", ["UM-ONE MIDI 1", "UM-ONE MIDI 2"]),
    ])
    #expect(later.endpoint(identity)?.address == EndpointAddress(client: 36, port: 1))
    #expect(EndpointList(devices: []).endpoint(identity) == nil)
  }

  @Test func `of two devices of one name the one at the old number is taken`() throws {
    let identity = EndpointIdentity(try list.find("32:1", .source))
    #expect(list.endpoint(identity)?.address == EndpointAddress(client: 32, port: 1))
  }

  @Test func `a tracker parks an endpoint and finds it again`() throws {
    var tracker = EndpointTracker(try list.find("UM-ONE", .destination))
    #expect(tracker.update(with: list) == nil)
    let gone = list.without(client: 20)
    #expect(tracker.update(with: gone) == .parked(try list.find("UM-ONE", .destination)))
    #expect(tracker.update(with: gone) == nil)
    let back = EndpointList(
      devices: gone.devices + [Self.device(40, "UM-ONE", ["UM-ONE MIDI 1", "UM-ONE MIDI 2"])])
    #expect(tracker.update(with: back) == .returned(try back.find("UM-ONE", .destination)))
    #expect(tracker.endpoint?.address.client == 40)
  }

  @Test func `an error message suggests the next command`() {
    #expect("\(EndpointError.noSequencer)".contains("modprobe snd-seq"))
    #expect("\(EndpointError.noPermission)".contains("audio"))
    let none = EndpointError.unknown(text: "x", direction: .destination, available: [])
    #expect(none.description.contains("(none available: start a synthesiser"))
    let session = { EndpointError.unknown(text: $0, direction: .destination, available: []) }
    #expect(
      session("rtp:organ").description
        == "port 'rtp:organ': no session with this name (names need the daemon of Avahi: install "
        + "avahi-daemon, or use rtp:HOST:PORT; see downbeat ports --network)")
    #expect(
      session("rtp:localhost:5999").description.hasPrefix(
        "port 'rtp:localhost:5999': no answer (enable the session"))
  }
}
