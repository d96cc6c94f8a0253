// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

@testable import Downbeat

/// The destinations of the tracks of a sequence.
@Suite struct RoutingTests {
  /// Three tracks without a port, with port 1 and with port 2, then two that name devices.
  private static func sequence() throws -> MusicSequence {
    var sequence = MusicSequence()
    for bytes in [nil, (0x21, [1]), (0x21, [2])] as [(UInt8, [UInt8])?] {
      var track = MusicTrack()
      if let (type, bytes) = bytes {
        try track.insert(.meta(MetaEvent(type: type, bytes: bytes)), at: .zero)
      }
      sequence.tracks.append(track)
    }
    for name in ["organ", "drums"] {
      var track = MusicTrack()
      try track.insert(.meta(MetaEvent(type: 0x09, bytes: Array(name.utf8))), at: .zero)
      sequence.tracks.append(track)
    }
    return sequence
  }

  /// Returns the destinations of each track; nil if the routes for all tracks apply.
  private static func destinations(
    _ names: [String], hasInstrument: Bool,
    settingUp change: (inout MusicSequence) -> Void = { _ in }
  ) throws -> [[Int]?] {
    var sequence = try sequence()
    change(&sequence)
    let routes = try Routing(names, synths: hasInstrument ? [.init()] : []).routes(
      of: sequence, names.map { _ in PortFilter() }, names.map { _ in .init() })
    #expect(routes.filter { $0.track == nil }.count == names.count)
    return sequence.tracks.indices.map { track in
      let own = routes.filter { $0.track == UInt16(track) }.map(\.destination)
      return own.isEmpty ? nil : own
    }
  }

  @Test func `a track with a port is played there, and on the synthesiser`() throws {
    let all = try Self.destinations(["synth", "port 0", "port 1"], hasInstrument: true)
    #expect(all == [nil, [0, 2], [0, 1], [0, 1], [0, 2]])
  }

  @Test func `ports without a synthesiser share the tracks in turn`() throws {
    let all = try Self.destinations(["port 0", "port 1"], hasInstrument: false)
    #expect(all == [nil, [1], [0], [0], [1]])
  }

  @Test func `with one port, every track is sent there`() throws {
    let all = try Self.destinations(["synth", "port 0"], hasInstrument: true)
    #expect(all == [nil, nil, nil, nil, nil])
  }

  @Test func `a port number above the number of ports wraps around`() throws {
    let names = ["synth", "port 0", "port 1", "port 2"]
    let all = try Self.destinations(names, hasInstrument: true) { sequence in
      var track = MusicTrack()
      do {
        try track.insert(.meta(MetaEvent(type: 0x21, bytes: [5])), at: .zero)
      } catch {
        Issue.record(error)
      }
      sequence.tracks[0] = track
    }
    #expect(all == [[0, 3], [0, 2], [0, 3], [0, 1], [0, 2]])
  }

  @Test func `a track that names a destination is sent only there`() throws {
    let all = try Self.destinations(["synth", "port 0", "port 1"], hasInstrument: true) {
      $0.tracks[0].settings.destination = "port 1"
      $0.tracks[1].settings.destination = "synth"
    }
    #expect(all == [[2], [0], [0, 1], [0, 1], [0, 2]])
  }

  /// Returns for each track the destinations of its notes and of its controllers.
  private static func places(
    _ names: [String], apart: [Set<Int>]
  ) throws -> [(notes: [Int], controllers: [Int])] {
    let sequence = try sequence()
    let routes = try Routing(
      names,
      synths: [.init()] + apart.enumerated().map { .init(pair: $0.offset + 1, tracks: $0.element) }
    ).routes(
      of: sequence, names.map { _ in PortFilter() }, names.map { _ in .init() })
    return sequence.tracks.indices.map { track in
      let own = routes.filter { $0.track == UInt16(track) }
      return (
        own.filter { $0.filter.kinds.contains(.notes) }.map(\.destination),
        own.filter { $0.filter.kinds.contains(.controls) }.map(\.destination)
      )
    }
  }

  @Test func `separate tracks play only on their synthesiser, and all receive controllers`()
    throws
  {
    let places = try Self.places(["synth", "synth 2", "synth 3"], apart: [[1], [2, 4]])
    #expect(places.map(\.notes) == [[0], [1], [2], [0], [2]])
    #expect(places.map(\.controllers).allSatisfy { $0 == [0, 1, 2] })
  }

  @Test func `separate tracks are still sent to the ports`() throws {
    let one = try Self.places(["synth", "synth 2", "port 0"], apart: [[1]])
    #expect(one.map(\.notes) == [[0, 2], [1, 2], [0, 2], [0, 2], [0, 2]])
    let two = try Self.places(["synth", "synth 2", "port 0", "port 1"], apart: [[1]])
    #expect(two.map(\.notes) == [[0, 2, 3], [1, 3], [0, 2], [0, 2], [0, 3]])
  }

  /// Returns a song with one track of notes for each port.
  ///
  /// −1 is a track without a port, and 0 adds a SysEx message before the port event.
  private static func song(_ ports: [Int]) throws -> MusicSequence {
    var sequence = MusicSequence()
    for port in ports {
      var track = MusicTrack()
      if port == 0 { try track.insert(.sysEx([0x7E, 0x7F, 9, 1, 0xF7]), at: .zero) }
      if port >= 0 {
        try track.insert(.meta(MetaEvent(type: 0x21, bytes: [UInt8(port)])), at: .zero)
      }
      try track.insert(.note(Note(Channel(index: 0), Key(60), duration: 9)), at: .zero)
      sequence.tracks.append(track)
    }
    return sequence
  }

  /// Returns the destinations of a track's events on a port.
  private static func destinations(
    of track: Int, port: UInt8, in routes: [Route]
  ) -> [Int] {
    let own = routes.filter { $0.track == UInt16(track) }
    return (own.isEmpty ? routes.filter { $0.track == nil } : own)
      .filter { $0.port ?? port == port }.map(\.destination)
  }

  private static func routes(
    _ names: [String], _ synths: [TrackPart.Share], _ sequence: MusicSequence
  ) throws -> [Route] {
    try Routing(names, synths: synths).routes(
      of: sequence, names.map { _ in PortFilter() }, names.map { _ in .init() })
  }

  @Test func `each port of a song has a synthesiser, and a new port shares the first`() throws {
    let synths = [
      TrackPart.Share(port: 0), TrackPart.Share(port: 1, isFirst: false),
      TrackPart.Share(pair: 1, tracks: [2], port: 0),
    ]
    #expect(synths.map(\.name) == ["synth", "synth:2", "synth 2"])
    var song = try Self.song([0, 1, 0, 5])
    var routes = try Self.routes(synths.map(\.name), synths, song)
    #expect(Self.destinations(of: 0, port: 0, in: routes) == [0, 2])
    #expect(Self.destinations(of: 1, port: 1, in: routes) == [1])
    #expect(Self.destinations(of: 3, port: 2, in: routes) == [0, 2])
    song.tracks[1].settings.destination = "synth"
    routes = try Self.routes(synths.map(\.name), synths, song)
    #expect(Self.destinations(of: 1, port: 1, in: routes) == [1])
    #expect(Self.destinations(of: 1, port: 0, in: routes) == [0])
  }

  @Test func `a track that selects a port after a reset is sent there once`() throws {
    let song = try Self.song([0, 1, -1])
    let routes = try Self.routes(["port 0", "port 1"], [], song)
    #expect(Self.destinations(of: 0, port: 0, in: routes) == [0])
    #expect(Self.destinations(of: 1, port: 1, in: routes) == [1])
    #expect(Self.destinations(of: 2, port: 0, in: routes) == [0, 1])
  }

  @Test func `a channel of one port is muted on a synthesiser and on a port`() throws {
    let song = try Self.song([0, 1])
    var filter = PortFilter()
    filter.struckChannels[1] = 0
    let routes = try Routing(
      ["synth", "synth:2", "port 0"],
      synths: [
        TrackPart.Share(port: 0), TrackPart.Share(port: 1, isFirst: false),
      ]
    ).routes(
      of: song, [filter, filter, filter], [.init(), .init(), .init()])
    for (port, mask) in [(UInt8(0), UInt16.max), (1, 0)] {
      let own = routes.filter { $0.port ?? port == port }
      #expect(own.count == 2 && own.allSatisfy { $0.filter.struckChannels == mask })
    }
  }

  @Test func `an unknown destination is an error, except for automation`() throws {
    #expect(
      throws: PlaybackError.unknownDestination(
        "organ", track: 2, available: ["synth", "port 0"])
    ) {
      try Self.destinations(["synth", "port 0"], hasInstrument: true) {
        $0.tracks[2].settings.destination = "organ"
      }
    }
    let error = PlaybackError.unknownDestination("organ", track: 2, available: ["synth", "port 0"])
    #expect(
      "\(error)" == "track 3: unknown destination 'organ' (available: 'synth', 'port 0')")
    let all = try Self.destinations(["synth"], hasInstrument: true) {
      $0.tracks[2].settings.destination = "panner"
      $0.tracks[2].settings.isAutomation = true
    }
    #expect(all == [nil, nil, nil, nil, nil])
  }
}
