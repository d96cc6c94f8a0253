// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import ClockService
import LinearTimecode
import MIDIMessages
import MusicalTime
import Realtime
import TestSupport

@testable import Downbeat

/// A tape with linear timecode that plays into a sound card with an independent clock, and a song
/// that follows it.
struct HeardTape {
  static let rate = SampleRate.hertz48000
  private static let step: Int64 = 5_000_000
  /// Ticks between two notes of the song: 50 ms at 120 quarter notes a minute.
  static let spacing: Int64 = 48

  /// The time code of the song's start, and the frame after it at which the tape starts.
  let offset: Timecode
  let first: Int64
  /// Returns the position on the tape in seconds, for a time in seconds.
  var place: (Double) -> Double = { $0 }
  /// Changes a sample on its way to the card, for a time in seconds.
  var change: (Double, Float) -> Float = { $1 }
  /// The deviation of the card's clock in parts per million.
  ///
  /// Positive values are fast.
  var drift = 0.0
  /// The maximum delay of the card's time stamps, in nanoseconds.
  var lateness = 0.0
  var isReversed = false
  /// True if the decoder knows the frame rate.
  var isRateTold = false

  /// A sound card that records the tape.
  private final class Card: SoundInput {
    let rate = HeardTape.rate
    let channelCount = 2
    let periodFrames = 512
    private(set) var clock: SampleClock?
    var samples: [Float] = []
    private var follower = PeriodFollower(nominalRate: HeardTape.rate)

    func read() -> [Float] {
      defer { samples = [] }
      return samples
    }

    func take(_ frames: Int64, at time: HostTime) {
      follower.update(frames: frames, at: time)
      clock = SampleClock(follower, delay: 0)
    }
  }

  /// The result of following the tape.
  struct Outcome {
    var notes: [(time: Double, error: Double)] = []
    var told: [FollowerEvent] = []
    /// The timecode frames that were decoded.
    var frames: [HeardFrame] = []
  }

  /// Plays the tape for a time in seconds.
  func play(_ seconds: Double) throws -> Outcome {
    let sound = try sound(of: place(seconds) + 1)
    let ring = RingBuffer<HeardFrame>(minimumCapacity: 64)
    final class Owner: Sendable {}
    let map = try TempoMap(division: .ppqn(try ppqn()), changes: [])
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [ScriptedSource(spacing: Self.spacing)],
      router: Router(), reference: ReferenceClock())
    var outcome = Outcome()
    let sink = RecordingSink()
    scheduler.lane.master = ExternalClock(
      following: .linearTimecode(LTCFollower(ring.reader, keeping: Owner()), rate: offset.rate),
      tempoMap: map, offset: offset)
    final class Told { var events: [FollowerEvent] = [] }
    let told = Told()
    scheduler.lane.onEvent = { if case .master(let event) = $0 { told.events.append(event) } }
    scheduler.router.addRoute(Route(to: scheduler.router.addDestination(sink)))
    let card = Card()
    var ear = LTCEar(counting: isRateTold ? offset.rate : nil, since: 0)
    var random = SplitMix(seed: 7)
    let frameLength = 1 / (48_000 * (1 + drift * 1e-6))
    var taken: Int64 = 0
    var now: Int64 = 0
    while Double(now) < seconds * 1e9 {
      now += Self.step
      while Double(taken + 512) * frameLength * 1e9 <= Double(now) {
        for frame in taken..<taken + 512 {
          let time = Double(frame) * frameLength
          card.samples += [0, change(time, Self.sample(of: sound, at: place(time)))]
        }
        taken += 512
        let late = Double.random(in: 0...1, using: &random) * lateness
        card.take(
          taken, at: HostTime(nanoseconds: Int64(Double(taken) * frameLength * 1e9 + late)))
        try ear.hear(card) { heard in
          outcome.frames.append(heard)
          _ = ring.writer.push(heard)
        }
      }
      try scheduler.step(at: ReferenceTime(nanoseconds: now))
    }
    outcome.told = told.events
    outcome.notes = sink.events.map { note in
      let time = Double(note.time.nanoseconds) / 1e9
      return (time, error(at: time))
    }
    return outcome
  }

  private func ppqn() throws -> PPQN { PPQN(480) ?? .standard }

  /// Returns the difference of a note from the nearest position on the tape at which a note is due,
  /// in seconds.
  private func error(at time: Double) -> Double {
    let song = place(time) + Double(first) / Double(offset.rate.nominal) * scale
    let spacing = Double(Self.spacing) / 480 * 0.5
    return song - (song / spacing).rounded() * spacing
  }

  private var scale: Double { offset.rate.isSlowed ? 1.001 : 1 }

  private func sound(of seconds: Double) throws -> [Float] {
    var encoder = try LTCEncoder(
      from: offset.advanced(byFrames: first), sampleRate: Self.rate, isReversed: isReversed)
    var sound: [Float] = []
    encoder.append(Int(seconds * 48_000), to: &sound)
    return sound
  }

  private static func sample(of sound: [Float], at seconds: Double) -> Float {
    let place = max(0, seconds * 48_000)
    let (sample, part) = (Int(place), Float(place - place.rounded(.down)))
    guard sample + 1 < sound.count else { return 0 }
    return sound[sample] * (1 - part) + sound[sample + 1] * part
  }
}
