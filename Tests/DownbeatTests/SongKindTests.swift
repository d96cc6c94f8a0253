// SPDX-License-Identifier: Apache-2.0
import ClockService
import Downbeat
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// The songs of the table, rendered and played to a port.
@Suite struct SongKindTests {
  // MARK: The synthesiser

  /// The highest level of a stretch without sound.
  private static let silence = 3e-4

  /// Returns the rendered samples, as the sum of the two channels.
  private func samples(_ song: SongKind) throws -> [Float] {
    let renderer = try renderer(song)
    var samples: [Float] = []
    try renderer.render(upTo: SampleTime(frames: 4 * 48_000), limiting: false) { part, _ in
      for index in stride(from: 0, to: part.count, by: 2) {
        samples.append(part[index] + part[index + 1])
      }
      return true
    }
    return samples
  }

  private func renderer(_ song: SongKind) throws -> SongRenderer {
    let scratch = try ScratchFolder()
    let settings = SessionSettings(
      soundFont: try scratch.write("tiny.sf2", TinySoundFont.bytes), hasReverb: false,
      hasChorus: false)
    let sequence = try song.sequence()
    return try SongRenderer(sequence, settings: settings, options: try song.options(for: sequence))
  }

  /// Returns the pitch of a sine in cents above 441 Hz, or nil for silence, and its level.
  private func heard(_ samples: ArraySlice<Float>) -> (cents: Double?, level: Double) {
    let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    let level = (power / Double(max(1, samples.count))).squareRoot()
    guard level > Self.silence else { return (nil, level) }
    var rises: [Double] = []
    for index in samples.indices.dropFirst() {
      let (before, after) = (Double(samples[index - 1]), Double(samples[index]))
      if before < 0, after >= 0 { rises.append(Double(index) - after / (after - before)) }
    }
    guard rises.count > 2 else { return (nil, level) }
    let hertz = Double(rises.count - 1) * 48_000 / (rises[rises.count - 1] - rises[0])
    return (1200 * log2(hertz / 441), level)
  }

  @Test(arguments: SongKind.all)
  func `the synthesiser plays the notes of the song`(song: SongKind) throws {
    let samples = try samples(song)
    let stretches = song.sounds.indices.map { index -> (cents: Double?, level: Double) in
      let start = song.stretch * 48 * index
      // The middle is used, because notes end within milliseconds.
      let range = (start + song.stretch * 12)..<(start + song.stretch * 42)
      return heard(samples[range.clamped(to: samples.indices)])
    }
    let loudest = stretches.map(\.level).max() ?? 0
    for (index, expected) in song.sounds.enumerated() {
      let (cents, level) = stretches[index]
      switch expected {
      case .anything: break
      case .silence: #expect(level <= Self.silence, "\(song): stretch \(index)")
      case .pitch(let pitch, let share):
        let found = try #require(cents, "\(song): stretch \(index) is silent")
        #expect(abs(found - Double(pitch)) < 4, "\(song): stretch \(index)")
        guard let share else { break }
        #expect(abs(level / loudest - share) < 0.15 * share, "\(song): stretch \(index)")
      }
    }
    guard let end = song.end else { return }
    let renderer = try renderer(song)
    renderer.tail = .none
    #expect(try renderer.length().frames == Int64(48 * end), "\(song)")
  }

  // MARK: A port

  /// Stores the events that it receives, with their times.
  private final class Port: EventSink, Sendable {
    let takesSysExParts: Bool
    private let taken = Mutex<[(time: HostTime, bytes: [UInt8])]>([])
    var ordersByTime: Bool { true }

    init(takesParts: Bool) { takesSysExParts = takesParts }

    func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
      for index in events.indices {
        let bytes = Self.bytes(of: events[index].payload, payloads)
        taken.withLock { $0.append((events[index].time, bytes)) }
      }
      return events.count
    }

    private static func bytes(of payload: EventPayload, _ payloads: Span<UInt8>) -> [UInt8] {
      var part: SysExPart?
      switch payload {
      case .message(let message):
        return Array([message.status, message.data1, message.data2].prefix(message.length))
      case .sysEx: break
      case .sysExPart(_, let named): part = named
      case .parameter, .fact: return []
      }
      let place = payload.bytes ?? PayloadRange(offset: 0, count: 0)
      let inside = (place.offset..<place.offset + place.count).map { payloads[Int($0)] }
      return (part == nil || part == .first ? [0xF0] : []) + inside
        + (part == nil || part == .last ? [0xF7] : [])
    }

    func cancel(from time: HostTime) {
      taken.withLock { $0.removeAll { $0.time >= time } }
    }

    /// The events in the order of time, starting at a number of milliseconds.
    func list(from milliseconds: Int) -> [String] {
      let sorted = taken.withLock { taken in
        taken.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.1)
      }
      return sorted.map { event in
        let distance = event.time.nanoseconds(since: sorted[0].time)
        return SongKind.line(milliseconds + Int((distance + 500_000) / 1_000_000), event.bytes)
      }
    }
  }

  @Test(arguments: SongKind.all, [true, false])
  func `a port receives the events of the list`(song: SongKind, takesParts: Bool) throws {
    let machine = try ManualClock()
    let port = Port(takesParts: takesParts)
    let sequence = try song.sequence()
    let playback = try Playback(
      sequence, on: [PlaybackPort(name: "port", sink: port, transform: song.transform)],
      options: try song.options(for: sequence), machine: machine)
    // A minute is far longer than any of the songs.
    for _ in 0..<600 where !playback.hasFinished { machine.advance(by: 100_000_000) }
    #expect(playback.hasFinished)
    try playback.waitUntilFinished()
    let expected = takesParts ? song.sent : song.sentWhole
    let first = try #require(expected.first?.split(separator: " ").first)
    let sent = port.list(from: try #require(Int(first)))
    #expect(sent == expected)
  }
}
