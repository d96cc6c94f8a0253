// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import MusicalTime

/// A model of a queue as it is documented, frame by frame, without regard to speed or memory.
///
/// It uses the library's names of settings and events, but not its code: ramps, positions, fades
/// and the sinc between samples are implemented again, the sinc in double precision.
struct QueueModel {
  struct Item {
    let number: Int
    let channels: [[Float]]
    let start: Int64?
    let changes: [(setting: SoundQueue.Setting, value: Float, frames: Int)]
    var hasBegun = false
    var count: Int { channels[0].count }
  }

  /// A value that changes linearly.
  struct Glide {
    private var from: Float
    private var to: Float
    private var passed = 0
    private var length = 0
    /// The value at the last frame.
    private(set) var value: Float

    init(_ value: Float) { (from, to, self.value) = (value, value, value) }

    var isMoving: Bool { passed < length }
    var goal: Float { to }

    mutating func go(to goal: Float, in frames: Int) {
      (from, to, passed, length) = (value, goal, 0, frames)
    }

    mutating func step() -> Float {
      if passed < length { passed += 1 }
      value = passed == length ? to : from + (to - from) * (Float(passed) / Float(length))
      return value
    }

    /// Sets a value immediately, even before the next frame.
    mutating func jump(to goal: Float) { self = Glide(goal) }
  }

  static let fade = 240
  let sinc = SincModel()
  var items: [Item] = [] { didSet { sight = nil } }
  var events: [SoundQueue.Event] = []
  var settings: [Glide] = [Glide(1), Glide(0), Glide(1)]
  var envelope = Glide(1)
  var now: Int64 = 0
  /// True if the last frame was interpolated between samples.
  private(set) var isBetween = false

  private(set) var isRunning = false
  private var startsAt: Int64?
  private var halts = false
  private var isStop = false
  private var drains = false
  /// Items below this number are removed when it is silent.
  private var flushesBelow: Int? { didSet { sight = nil } }
  private var sight: Sight?
  /// The frames played of the current run; nil between runs.
  private var run: [[Float]]?
  private var place = 0
  private var part = 0.0
  private var silence: Int64?
  private(set) var played = 0
  private(set) var discontinuities = 0
}

// Commands.
extension QueueModel {
  mutating func start(at frame: Int64?) {
    drains = false
    if !isRunning {
      startsAt = frame ?? .min
    } else if halts {
      if let frame {
        startsAt = frame
      } else {
        startsAt = nil
        halts = false
        guard flushesBelow == nil else { return }
        if run == nil { envelope.jump(to: 1) } else { envelope.go(to: 1, in: Self.fade) }
      }
    }
  }

  mutating func pause() {
    guard isRunning || startsAt != nil else { return }
    startsAt = nil
    halts = true
    fadeOut()
  }

  mutating func stop(before number: Int) {
    (startsAt, halts, isStop, drains) = (nil, true, true, false)
    flushesBelow = number
    fadeOut()
  }

  mutating func drain() { drains = isRunning || startsAt != nil }

  mutating func flush(before number: Int) {
    flushesBelow = number
    fadeOut()
  }

  private mutating func fadeOut() {
    if !isRunning || run == nil { return envelope.jump(to: 0) }
    if envelope.goal == 0, envelope.isMoving { return }
    envelope.go(to: 0, in: Self.fade)
  }
}

// Frames.
extension QueueModel {
  /// The next frame.
  mutating func next() -> (left: Float, right: Float) {
    defer { now += 1 }
    let item = findItem()
    let values = settings.indices.map { settings[$0].step() }
    guard let item else {
      isBetween = false
      return (0, 0)
    }
    let speed = values[2]
    isBetween = part != 0 || speed != 1
    let samples =
      isBetween ? between(speed) : (item.channels[0][place], item.channels[1][place])
    let factor = values[0] * envelope.step()
    move(by: speed)
    let pan = Double(values[1])
    return (
      samples.0 * (factor * Float(min(1, 1 - pan))), samples.1 * (factor * Float(min(1, 1 + pan)))
    )
  }

  private mutating func move(by speed: Float) {
    part += Double(speed)
    let whole = Int(part)
    part -= Double(whole)
    place += whole
    played += whole
    if place >= items[0].count { end(at: now + 1) }
  }

  private mutating func end(at frame: Int64) {
    let item = items.removeFirst()
    events.append(.done(done(item, .played, frame)))
    place -= item.count
    for channel in 0..<2 {
      let all = (run?[channel] ?? []) + item.channels[channel]
      run?[channel] = Array(all.suffix(200))
    }
  }

  private func done(
    _ item: Item, _ reason: SoundQueue.Done.Reason, _ frame: Int64
  ) -> SoundQueue.Done {
    SoundQueue.Done(number: item.number, reason: reason, frame: SampleTime(frames: frame))
  }

  /// The item that plays at this frame.
  private mutating func findItem() -> Item? {
    while true {
      if halts || flushesBelow != nil, run == nil || !envelope.isMoving { settle() }
      if !isRunning {
        guard let start = startsAt, start <= now else { return nil }
        (isRunning, startsAt) = (true, nil)
        if run != nil {
          noteSound()
          if envelope.value != 1 { envelope.go(to: 1, in: Self.fade) }
        }
      }
      let fades = halts || flushesBelow != nil
      guard let item = items.first, item.number < flushesBelow ?? .max else {
        runDry()
        if fades { continue }
        return nil
      }
      if item.hasBegun {
        if place < item.count { return item }
        end(at: now)
        continue
      }
      if let start = item.start {
        closeRun()
        if fades { continue }
        if start > now { return nil }
      }
      begin(item)
    }
  }

  private mutating func begin(_ item: Item) {
    items[0].hasBegun = true
    if run == nil {
      sight = nil
      run = [[], []]
      noteSound()
      envelope.jump(to: 1)
    }
    for change in item.changes {
      settings[change.setting.rawValue].go(to: change.value, in: change.frames)
    }
    let late = item.start.map { Int(now - $0) } ?? 0
    events.append(
      .began(number: item.number, frame: SampleTime(frames: now), lateBy: max(0, late)))
  }

  private mutating func runDry() {
    let hadRun = run != nil
    closeRun()
    if drains, !halts, flushesBelow == nil {
      (isRunning, drains) = (false, false)
      rewind()
      events.append(.stopped(frame: SampleTime(frames: now)))
    } else if hadRun, flushesBelow == nil {
      events.append(.ranDry(frame: SampleTime(frames: now)))
    }
  }

  private mutating func rewind() { (played, discontinuities, silence) = (0, 0, nil) }

  private mutating func settle() {
    if let number = flushesBelow {
      closeRun()
      while let item = items.first, item.number < number {
        items.removeFirst()
        events.append(.done(done(item, .flushed, now)))
      }
      flushesBelow = nil
    }
    if halts {
      isRunning = false
      if run != nil, silence == nil { silence = now }
      let frame = SampleTime(frames: now)
      events.append(isStop ? .stopped(frame: frame) : .paused(frame: frame))
    }
    if isStop { rewind() }
    envelope.jump(to: halts && run != nil ? 0 : 1)
    (halts, isStop) = (false, false)
  }

  private mutating func closeRun() {
    guard run != nil else { return }
    // Frames beyond the end were not played.
    if items.first?.hasBegun != true { played -= place }
    (run, place, part) = (nil, 0, 0)
    if silence == nil { silence = now }
  }

  private mutating func noteSound() {
    if let silence, now > silence {
      discontinuities += 1
      events.append(
        .discontinuity(frame: SampleTime(frames: now), silentFrames: Int(now - silence)))
    }
    silence = nil
  }
}

// Values between samples.
extension QueueModel {
  private mutating func between(_ speed: Float) -> (Float, Float) {
    let stretch = max(1, Double(speed))
    let reach = Int(32 * stretch)
    let sight = sight ?? look()
    self.sight = sight
    let first = sight.origin + place - reach
    var sums = (0.0, 0.0)
    for index in 0..<2 * reach + 2 {
      let weight = sinc.value(abs(Double(index - reach) - part) / stretch) / stretch
      sums.0 += Double(sight.left[first + index]) * weight
      sums.1 += Double(sight.right[first + index]) * weight
    }
    return (Float(sums.0), Float(sums.1))
  }

  /// The frames of the run from 200 before the current item to 200 after it, with silence beyond.
  private func look() -> Sight {
    let channels = (0..<2).map { channel in
      let past = run?[channel] ?? []
      var line = [Float](repeating: 0, count: 200 - past.count) + past
      for (index, item) in items.enumerated() {
        guard item.number < flushesBelow ?? .max, index == 0 || item.start == nil else { break }
        guard line.count < 400 + items[0].count else { break }
        line += item.channels[channel]
      }
      return line + [Float](repeating: 0, count: 200)
    }
    return Sight(left: channels[0], right: channels[1], origin: 200)
  }

  struct Sight {
    let left: [Float]
    let right: [Float]
    /// The position of the first frame of the current item.
    let origin: Int
  }
}

/// A sinc with a Kaiser window of 32 crossings, beta 10.5, from a table with an accuracy of 10⁻⁷.
struct SincModel {
  private let values: [Double]

  init() {
    values = (0...32 * 2048 + 1).map { index in
      let place = Double(index) / 2048
      guard place < 32 else { return 0 }
      let sinc = place == 0 ? 1 : sin(.pi * place) / (.pi * place)
      return sinc * Self.bessel(10.5 * (1 - (place / 32) * (place / 32)).squareRoot())
        / Self.bessel(10.5)
    }
  }

  /// The modified Bessel function of order 0.
  private static func bessel(_ argument: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for index in 1..<60 {
      term *= (argument / 2 / Double(index)) * (argument / 2 / Double(index))
      sum += term
    }
    return sum
  }

  func value(_ distance: Double) -> Double {
    guard distance < 32 else { return 0 }
    let place = distance * 2048
    let index = Int(place)
    return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
  }
}
