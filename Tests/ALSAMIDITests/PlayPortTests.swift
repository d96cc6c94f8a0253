// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// `play` to ports under a real ALSA kernel, with ALSA's own tools at the other end.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct PlayPortTests {
  /// A song of more than two thousand events: from the corpus if it exists, otherwise one of ours.
  private static let song: Result<Data, any Error> = Result {
    let corpus = CorpusFolder.url.appendingPathComponent(
      "freedoom__freedoom/musics/d_bunny.mid")
    let own = ToolRun.packageFolder.appendingPathComponent("Songs/minuet.mid")
    return try Data(contentsOf: CorpusFolder.isThere ? corpus : own)
  }

  private static let arrival = WitnessedRun(
    of: PlayPortScript.arrival,
    [
      "song.mid": try song.get(), "all.mid": try PlayedSongs.everything(),
      "crowd.mid": PlayedSongs.crowd, "tracks.mid": PlayedSongs.manyTracks,
      "sysex.mid": PlayedSongs.longSysEx, "dumps.mid": PlayedSongs.dumps,
      "flood.mid": PlayedSongs.flood,
      "packets.mid": PlayedSongs.packets, "slow.mid": PlayedSongs.slowPackets,
    ])
  private static let choice = WitnessedRun(
    of: PlayPortScript.choice,
    [
      "scale.mid": PlayedSongs.scale, "two.mid": PlayedSongs.twoPorts,
      "loop.mid": PlayedSongs.loop,
    ])
  private static let comings = WitnessedRun(
    of: PlayPortScript.comings, ["two.mid": PlayedSongs.twoPorts, "long.mid": PlayedSongs.long])
  private static let kinds = WitnessedRun(
    of: PlayPortScript.kinds,
    Dictionary(
      uniqueKeysWithValues: SongKind.all.indices.map {
        ("kind\($0).mid", Data(SongKind.all[$0].file))
      }))

  private func wire(_ data: Data) throws -> [ScatteredSong.WireEvent] {
    ScatteredSong.wire(try #require(try SMFReader().read(Array(data)).sequences.first))
  }

  /// The recorded events in their order in the file: a sequence, and so its cursor, sorts the
  /// events that a busy host lets arrive at the same tick.
  private func arrivals(_ name: String) throws -> [[UInt8]] {
    let events = try FileEvents(try SMFReader().read(Array(Self.arrival.content(name))))
    return events.filter { $0.metaType == nil }.map { event in
      guard event.channel != nil else { return [event.status] + events.payload(of: event) }
      let message = Message(status: event.status, data1: event.data1, data2: event.data2)
      return Array([message.status, message.data1, message.data2].prefix(message.length))
    }
  }

  @Test(arguments: ["song", "all", "tracks"])
  func `every event arrives, in order`(name: String) throws {
    #expect(try Self.arrival.status(name) == 0)
    let input: [String: Data] = [
      "song": try Self.song.get(), "all": try PlayedSongs.everything(),
      "tracks": PlayedSongs.manyTracks,
    ]
    let played = try wire(try #require(input[name]))
    let taken = try arrivals("\(name).mid")
    #expect(taken.count == played.count)
    // Events of the same tick may be sent in any order; later ones must arrive later.
    var start = 0
    while start < played.count, taken.count == played.count {
      let end = played[start...].firstIndex { $0.tick > played[start].tick } ?? played.count
      let there = played[start..<end].map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
      let here = taken[start..<end].sorted { $0.lexicographicallyPrecedes($1) }
      try #require(there == here, "\(name): tick \(played[start].tick)")
      start = end
    }
  }

  @Test func `a full pool loses nothing`() throws {
    #expect(try Self.arrival.status("crowd") == 0)
    let keys = try Self.arrival.lines("crowd.txt").map {
      $0.split(separator: " ").last.flatMap { Int($0) }
    }
    #expect(keys == (0..<PlayedSongs.crowdCount).map { $0 % 128 })
  }

  @Test func `100,000 events at 10,000 per second arrive completely and in order`() throws {
    #expect(try Self.arrival.status("flood") == 0)
    let capture = String(decoding: try Self.arrival.content("flood.txt"), as: UTF8.self)
    let events = capture.split(separator: "\n")
    try #require(events.count == PlayedSongs.floodCount)
    // After the time: ALSA's number for a note-on or note-off, channel, key and velocity.
    let stray = events.indices.first { index in
      !events[index].hasSuffix(" \(6 + index % 2) 0 \(index / 2 % 128) 64")
    }
    #expect(stray == nil, "event \(stray ?? 0): \(events[stray ?? 0])")
  }

  @Test func `a SysEx longer than a pool arrives whole, and the notes after it`() throws {
    #expect(try Self.arrival.status("sysex") == 0)
    let events = try Self.arrival.events("sysex.json")
    #expect(events.map { $0["type"] as? String } == ["sysex", "note on"])
    var bytes: [Int] = [0xF0]
    for index in 0..<8192 { bytes.append(index % 128) }
    bytes.append(0xF7)
    #expect(events.first?["bytes"] as? [Int] == bytes)
  }

  @Test func `a song that ends with a long SysEx ends after it, and reports the delay`()
    throws
  {
    #expect(try Self.arrival.status("dumps") == 0)
    let events = try Self.arrival.events("dumps.json")
    #expect(events.map { $0["type"] as? String } == ["sysex", "note on", "note off", "sysex"])
    for sysEx in [events.first, events.last] {
      #expect((sysEx?["bytes"] as? [Int])?.count == 5002)
    }
    let delays = try Self.arrival.events("dumps.report").compactMap { event in
      event["event"] as? String == "sysex-delay" ? event["milliseconds"] as? Int : nil
    }
    // At the speed of a cable the last piece leaves 1.6 s after the first; the second SysEx waits,
    // too.
    #expect(delays.max().map { $0 > 1_500 } == true, "\(delays)")
  }

  @Test func `the packets of a SysEx leave at their own times`() throws {
    #expect(try Self.arrival.status("packets") == 0)
    #expect(
      try Self.arrival.seen("packets.txt", "System exclusive") == [
        "System exclusive F0 43 12 00", "System exclusive 43 12 00",
        "System exclusive 43 12 00 F7",
      ])
  }

  @Test func `a monitor gets the lists of all kinds of songs`() throws {
    var rest = try Self.kinds.events("kinds.json").map { event in
      SongKind.line(0, try #require(event["bytes"] as? [Int]).map { UInt8($0) })
    }[...]
    for index in PlayPortScript.kindLists.joined() {
      let song = SongKind.all[index]
      let expected = song.sentWhole.map { "0" + $0.drop { $0 != " " } }
      let range = try #require(rest.firstRange(of: expected), "\(song): \(rest.prefix(20))")
      // Between two songs of a list state is restored.
      let between = rest[..<range.lowerBound]
      #expect(!between.contains { $0.hasPrefix("0 8") || $0.hasPrefix("0 9") }, "\(song)")
      if PlayPortScript.kindLists.contains(where: { $0[0] == index }) {
        #expect(between.isEmpty, "\(song): \(between)")
      }
      rest = rest[range.upperBound...]
    }
    #expect(rest.isEmpty)
  }

  @Test(arguments: ["TERM", "KILL"])
  func `a player that is ended between two packets leaves no port waiting`(signal: String) throws {
    let seen = try Self.arrival.seen("\(signal).txt", "System exclusive")
    #expect(seen.first == "System exclusive F0 43 12 00", "\(seen)")
    #expect(Set(seen.dropFirst()) == ["System exclusive F7"], "\(seen)")
  }

  @Test func `options select tracks, transposition and repetitions`() throws {
    let strikes = try wire(Self.choice.content("part.mid")).map(\.bytes).filter {
      $0[0] & 0xF0 == 0x90
    }
    let keys = strikes.map { "\($0[0] & 15) \($0[1])" }
    // From 1 s to 3 s at four notes per second, an octave lower; a bar of clicks, which a selection
    // of channels does not remove, and two notes three times; nothing of the scale, and both notes
    // of the other song.
    let scale: [String] = (32..<40).map { "0 \($0)" }
    let clicks = ["9 34", "9 33", "9 33", "9 33"]
    let loop = ["0 40", "0 41", "0 40", "0 41", "0 40", "0 41"]
    let expected: [String] = [scale, clicks, loop, ["1 70", "2 71"]].flatMap { $0 }
    #expect(keys == expected)
    #expect(try Self.choice.status("part") == 0)
  }

  private func strikes(_ name: String) throws -> [UInt8] {
    try wire(Self.choice.content(name)).map(\.bytes).filter { $0[0] & 0xF0 == 0x90 }.map { $0[1] }
  }

  @Test func `the loop of a song is repeated the requested times, without drums`() throws {
    #expect(try Self.choice.status("loops") == 0)
    #expect(try strikes("loops.mid") == [40, 41, 42, 41, 42, 43])
  }

  @Test func `the synthesiser and a port play at once`() throws {
    #expect(try Self.choice.status("both") == 0)
    #expect(try strikes("both.mid") == Array(40..<48))
    let heard = try #require(WaveAudio(Self.choice.content("both.wav")))
    #expect(heard.peak > 0.01)
  }

  @Test func `tracks go to the ports they ask for, each at its distance`() throws {
    #expect(try Self.choice.status("two") == 0)
    let events = try Self.choice.events("two.json")
    // The first port is received through the kernel's client, the second directly.
    let first = events.filter { $0["source"] as? String == "14:0" }
    let second = events.filter { $0["source"] as? String != "14:0" }
    #expect(first.map { $0["type"] as? String } == ["sysex", "note on", "note off"])
    #expect(second.map { $0["type"] as? String } == ["sysex", "note on"])
    #expect(first[1]["note"] as? Int == 70)
    #expect(second[1]["note"] as? Int == 71)
    let times = try [first, second].map { try #require($0[1]["host"] as? Int) }
    // The jitter test checks the accuracy: a busy host delays the machine as a whole.
    #expect((200_000_000..<400_000_000).contains(times[1] - times[0]))
  }

  @Test func `a port that disappears is connected again, with the state of the position`() throws {
    #expect(try Self.comings.status("away") == 143)
    let said = try Self.comings.lines("away.err")
    #expect(said.contains { $0.hasSuffix("disconnected") })
    #expect(said.contains { $0.hasSuffix("reconnected") })
    let told = try Self.comings.events("away.json").compactMap { $0["event"] as? String }
    #expect(
      told.filter { $0 != "held-up" } == ["begin", "start-file", "port-lost", "port-back", "end"])
    #expect(try SchemaJudge.faults(of: Self.comings.content("away.json"), in: "report") == "")
    let before = try Self.comings.seen("before.txt", "Note on")
    let after = try Self.comings.seen("after.txt", "Note on")
    #expect(
      try Self.comings.seen("after.txt", "Program change").first == "Program change 0, program 33")
    #expect(
      try Self.comings.seen("after.txt", "Control change").first
        == "Control change 0, controller 7, value 55")
    #expect(before.count >= 4)
    #expect(after.count >= 3)
    #expect(Set(before).isDisjoint(with: after))
    // It ends like every playback that is ended.
    #expect(
      try Self.comings.seen("after.txt", "Control change").contains(
        "Control change 0, controller 120, value 0"))
  }

  @Test func `it waits for a port, and for a receiver`() throws {
    for name in ["waited", "virtual"] { #expect(try Self.comings.status(name) == 0) }
    let notes = ["Note on 1, note 70, velocity 64", "Note on 2, note 71, velocity 64"]
    #expect(try Self.comings.seen("waited.txt", "Note on") == notes)
    #expect(try Self.comings.seen("virtual.txt", "Note on") == notes)
  }

  @Test func `at the end notes ring out`() throws {
    #expect(try Self.comings.seen("waited.txt", "Control change").isEmpty)
    #expect(try Self.comings.seen("virtual.txt", "Control change").isEmpty)
  }

  @Test func `excluded channels are not played, and the reset is`() throws {
    #expect(try Self.choice.status("early") == 0)
    #expect(try Self.choice.seen("early.txt", "Note on") == ["Note on 2, note 71, velocity 64"])
    #expect(
      try Self.choice.seen("early.txt", "System exclusive") == [
        "System exclusive F0 7E 7F 09 01 F7"
      ])
  }

  @Test func `the documented examples are among the commands of the script`() throws {
    let text = try String(
      contentsOf: ToolRun.packageFolder.appendingPathComponent("Documentation/Examples.md"),
      encoding: .utf8)
    let examples = text.split(separator: "\n").compactMap { line in
      line.range(of: "$ downbeat play song.mid ").map { line[$0.upperBound...] }
    }
    #expect(examples.count >= 4)
    for example in examples {
      let flags = example.split(separator: "#")[0].trimmingCharacters(in: .whitespaces)
      #expect(
        PlayPortScript.all.contains(".mid\" \(flags)\n")
          || PlayPortScript.all.contains(".mid\" \(flags) "), "\(flags)")
    }
  }

  @Test func `a module stays while a song plays to its port, and its loss is reported`() throws {
    #expect(try Self.choice.status("rmmod") == 1)
    #expect(try Self.choice.status("kept") == 0)
    #expect(try Self.choice.seen("kept.txt", "Note on").count == 16)
    #expect(try Self.choice.status("gone") == 0)
    #expect(try Self.choice.status("module") == 69)
    #expect(try Self.choice.lines("module.txt").first?.contains("Midi Through") == true)
  }

  @Test func `errors are reported in a sentence`() throws {
    #expect(try Self.choice.status("unknown") == 69)
    #expect(try Self.choice.lines("unknown.txt").first?.contains("nobody") == true)
    #expect(try Self.choice.status("ambiguous") == 64)
    let candidates = try Self.choice.lines("ambiguous.txt").joined()
    for port in ["16:0", "17:0", "18:0", "19:0"] { #expect(candidates.contains(port)) }
    #expect(try Self.choice.status("from") == 64)
  }
}
