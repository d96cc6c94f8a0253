// SPDX-License-Identifier: Apache-2.0
import Downbeat
import MIDIMessages
import MusicSequences
import SoundFontInstruments
import TestSupport
import Testing

/// The requests of a song to a GS, XG or General MIDI 2 module.
@Suite struct SongRequestsTests {
  private static let note: [(Int, [UInt8])] = [(0, [0x90, 60, 100]), (48, [0x80, 60, 0])]

  private static func sysEx(_ body: [UInt8]) -> (Int, [UInt8]) {
    (0, [0xF0, UInt8(body.count + 1)] + body + [0xF7])
  }

  private static func gs(_ body: UInt8...) -> (Int, [UInt8]) {
    let sum = body.reduce(0) { $0 + Int($1) }
    return sysEx([0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)])
  }

  private static func xg(_ body: UInt8...) -> (Int, [UInt8]) {
    sysEx([0x43, 0x10, 0x4C] + body)
  }

  private static let gsReset = gs(0x40, 0, 0x7F, 0)
  private static let xgReset = xg(0, 0, 0x7E, 0)

  private func requests(_ events: [(Int, [UInt8])]) throws -> SongRequests {
    SongRequests(try SMFReader().read(SongBytes.file(events)).sequences)
  }

  private func effects(_ events: [(Int, [UInt8])]) throws -> [RequestedEffect] {
    try requests(events).ports.flatMap(\.requests.effects)
  }

  @Test func `a song without such messages requests nothing`() throws {
    let song = try requests([(0, [0xB0, 7, 90]), (0, [0xC0, 5])] + Self.note)
    #expect(song.isEmpty && song.missingEffects.isEmpty)
    #expect(try requests([Self.gsReset] + Self.note).isEmpty)
  }

  @Test func `parameters of parts are named once, by SysEx and by number`() throws {
    let song = try requests(
      [
        Self.gsReset, Self.gs(0x40, 0x11, 0x32, 0x50), Self.gs(0x40, 0x11, 0x1D, 20, 90),
        (0, [0xB2, 99, 1]), (0, [0xB2, 98, 0x20]), (0, [0xB2, 6, 70]), (0, [0xB2, 6, 71]),
        (0, [0xB3, 101, 0]), (0, [0xB3, 100, 0]), (0, [0xB3, 6, 12]),
        Self.gs(0x40, 0x1A, 0x15, 2),
      ] + Self.note)
    let parts = try #require(song.ports.first).requests.parts
    #expect(parts.map(\.channel.index) == [0, 2, 10])
    #expect(parts.map(\.parameters) == [["cutoff", "key range"], ["cutoff"], ["part mode"]])
    #expect(parts.map(\.isDrums) == [false, false, true])
  }

  @Test func `drum notes are counted by key`() throws {
    let song = try requests(
      [
        Self.gs(0x41, 2, 36, 100), (0, [0xB9, 99, 0x18]), (0, [0xB9, 98, 38]), (0, [0xB9, 6, 70]),
      ] + Self.note)
    let requests = try #require(song.ports.first).requests
    #expect(requests.drumKeys.map(\.number) == [36, 38])
    #expect(requests.drumParameters == ["level", "pitch"])
  }

  @Test func `system effects of GS have the names of their macros`() throws {
    let found = try effects(
      [
        Self.gsReset, Self.gs(0x40, 1, 0x30, 4), Self.gs(0x40, 1, 0x38, 2),
        Self.gs(0x40, 1, 0x50, 5), Self.gs(0x40, 2, 1, 0x46),
      ] + Self.note)
    #expect(found.map(\.name) == ["Hall 2", "Chorus 3", "Pan Delay 2", "Equalizer"])
    #expect(found.map(\.kind) == [.reverb, .chorus, .delay, .equalizer])
    #expect(found.allSatisfy { $0.isAvailable && $0.standard == .gs && $0.channels.isEmpty })
  }

  @Test func `parameters of reverb and chorus are named, and those that are not played`() throws {
    let gs = try effects(
      [
        Self.gsReset, Self.gs(0x40, 1, 0x34, 90), Self.gs(0x40, 1, 0x30, 5, 6, 0, 64, 90, 20),
        Self.gs(0x40, 1, 0x3F, 9, 9),
      ] + Self.note)
    #expect(gs.map(\.name) == ["Delay", "Chorus 3"])
    #expect(gs.map(\.parameters).first == ["character", "low-pass", "level", "time", "feedback"])
    #expect(gs.map(\.parameters).last == ["send to reverb", "send to delay"])
    #expect(gs.allSatisfy { $0.isAvailable && $0.unplayed.isEmpty })
    let xg = try effects(
      [
        Self.xgReset, Self.xg(2, 1, 0, 1, 1), Self.xg(2, 1, 2, 20, 10), Self.xg(2, 1, 0x22, 9),
      ] + Self.note)
    #expect(xg.map(\.name) == ["Hall 2", "Chorus 1"])
    #expect(xg.map(\.parameters) == [["time", "diffusion"], ["rate"]])
    #expect(xg.map(\.unplayed) == [["diffusion"], []])
  }

  @Test func `an insertion effect has its parts, and is reported if it is not available`() throws {
    let song = try requests(
      [
        Self.gsReset, Self.gs(0x40, 3, 0, 1, 0x70), Self.gs(0x40, 0x41, 0x22, 1),
        Self.gs(0x40, 0x43, 0x22, 1),
      ] + Self.note + [Self.gs(0x40, 3, 0, 1, 0x22)] + Self.note)
    let effects = try #require(song.ports.first).requests.effects
    #expect(effects.map(\.name) == ["3D Auto", "Rotary"])
    #expect(effects.map(\.isAvailable) == [false, true])
    #expect(effects.allSatisfy { $0.channels.map(\.index) == [0, 2] && $0.kind == .insertion })
    #expect(song.missingEffects.map(\.name) == ["3D Auto"])
  }

  @Test func `a type in two messages counts once, and one without notes does not`() throws {
    let halves = [Self.gs(0x40, 0x41, 0x22, 1), Self.gs(0x40, 3, 0, 1), Self.gs(0x40, 3, 1, 0x11)]
    #expect(try effects([Self.gsReset] + halves + Self.note).map(\.name) == ["Distortion"])
    #expect(try effects([Self.gsReset] + halves).isEmpty)
  }

  @Test func `a damaged message requests nothing`() throws {
    var damaged = Self.gs(0x40, 1, 0x30, 4)
    damaged.1[damaged.1.count - 2] ^= 1
    #expect(try effects([Self.gsReset, damaged] + Self.note).isEmpty)
  }

  @Test func `effects of XG are named by both bytes of their type`() throws {
    let found = try effects(
      [
        Self.xgReset, Self.xg(2, 1, 0, 4, 0), Self.xg(2, 1, 0x20, 0x41, 1),
        Self.xg(2, 1, 0x40, 0x0A, 0), Self.xg(2, 1, 0x5A, 1), Self.xg(3, 0, 0, 0x49, 0),
        Self.xg(3, 0, 0x0C, 4), Self.xg(2, 0x40, 1, 0x46),
      ] + Self.note)
    #expect(
      found.map(\.name) == [
        "Plate", "Chorus 2", "Multi EQ", "Distortion", "Gate Reverb",
      ])
    #expect(found.map(\.isAvailable) == [true, true, false, true, false])
    #expect(found[3].channels.map(\.index) == [4])
  }

  @Test func `XG's insertion effects are four, each with its part`() throws {
    let numbers: [UInt8] = [0, 1, 2, 3]
    let found = try effects(
      [Self.xgReset]
        + numbers.flatMap { [Self.xg(3, $0, 0, 0x49 + $0, 0), Self.xg(3, $0, 0x0C, $0 + 4)] }
        + [Self.xg(3, 4, 0x0C, 0)] + Self.note)
    #expect(found.map(\.name) == ["Distortion", "Overdrive", "Amp Simulator", "3-Band EQ"])
    #expect(found.map(\.isAvailable) == [true, true, true, true])
    #expect(found.map { $0.channels.map(\.index) } == [[4], [5], [6], [7]])
  }

  @Test func `a parameter that is not played is listed separately`() throws {
    let song = try requests([Self.xgReset, Self.xg(8, 0, 0x69, 0x50)] + Self.note)
    let part = try #require(song.ports.first?.requests.parts.first)
    #expect(part.unplayed == ["pitch envelope"])
  }

  @Test func `each port has separate requests`() throws {
    let port: (Int, [UInt8]) = (0, [0xFF, 0x21, 1, 1])
    let events: [(delta: Int, bytes: [UInt8])] =
      ([port, Self.gs(0x40, 0x11, 0x32, 0x50)] + Self.note).map { ($0.0, $0.1) }
    let other: [(delta: Int, bytes: [UInt8])] =
      ([(0, [0xFF, 0x21, 1, 0])] + Self.note).map { ($0.0, $0.1) }
    let bytes = SongBytes.file(tracks: [(name: "", events: other), (name: "", events: events)])
    let song = SongRequests(try SMFReader().read(bytes).sequences)
    #expect(song.ports.map(\.port) == [1])
  }
}
