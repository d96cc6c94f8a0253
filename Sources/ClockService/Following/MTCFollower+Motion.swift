// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension MTCFollower {
  /// Compares the count with the time code, and publishes the position.
  mutating func settle(at time: HostTime, _ events: inout FollowerEvents) {
    compare(at: time, &events)
    recognizeRate(at: time, &events)
    guard transport == .running else { return startIfPlayable(at: time, &events) }
    guard isPlayable else { return stop(.notPlayable, &events) }
    if let line, output.follow(line, at: time) { reportJump(&events) }
  }

  /// Compares the count with the time code.
  ///
  /// One code that differs is an error; a second one that differs in the same way is a jump.
  ///
  /// A run begins at the first piece that is not the expected one. If eight pieces differ, and also
  /// that first piece in the next cycle, a single corrupt cycle is not the cause.
  private mutating func compare(at time: HostTime, _ events: inout FollowerEvents) {
    guard let position else { return }
    if cycle.run > 8, doubt == nil, !cycle.spells(position) { cycle.beginRun() }
    guard cycle.run == 8 || doubt != nil, let place = decoded else { return }
    let day = 4 * FrameRate(mtcCode: place.code).framesPerDay
    let distance = (place.count - position.count + day / 2).wrapped(to: day) - day / 2
    guard distance != 0 || place.code != position.code else { return doubt = nil }
    guard let before = doubt, before.distance == distance, before.code == place.code else {
      return doubt = Disagreement(distance: distance, code: place.code, run: cycle.run)
    }
    guard before.run == 8 || cycle.run >= before.run + 8 else { return }
    doubt = nil
    regression = SpeedRegression()
    guard follows(place.code, &events) else {
      stop(.wrongFormat, &events)
      return lock = .acquiring
    }
    if place.code != position.code { recognizedRate = nil }
    self.position = place
    guard transport == .running, let line else {
      return events.append(.located(.timecode(place)))
    }
    output.jump(to: line, at: time)
    reportJump(&events)
  }

  private func reportJump(_ events: inout FollowerEvents) {
    if let position { events.append(.jumped(.timecode(position))) }
  }

  /// Returns true if a frame rate code is followed; one that is not is reported once.
  mutating func follows(_ code: MTCCode, _ events: inout FollowerEvents) -> Bool {
    guard let format = settings.format, format != code else {
      refused = nil
      return true
    }
    if refused != code { events.append(.wrongFormat(code)) }
    refused = code
    return false
  }

  /// The line from the last quarter frame, in quarter frames from 00:00:00:00.
  private var line: TickLine? {
    position.map { ticks.line(countingFrom: ticks.state.count - $0.count) }
  }

  /// True if time code runs forward at a speed that can be played: a tenth to four times.
  ///
  /// Once playing, the limits are a tenth wider, so that a speed at the limit does not start and
  /// stop it.
  private var isPlayable: Bool {
    guard direction == .forward, let speed else { return false }
    return transport == .running ? speed >= 0.09 && speed <= 4.4 : speed >= 0.1 && speed <= 4
  }

  mutating func startIfPlayable(at time: HostTime, _ events: inout FollowerEvents) {
    guard lock == .locked, isPlayable, let line, let position else { return }
    transport = .running
    output.start(along: line, at: time)
    events.append(.started(.timecode(position), at: time))
  }

  mutating func stop(_ reason: StopReason, _ events: inout FollowerEvents) {
    guard transport == .running, let position else { return }
    transport = .stopped
    output.stop()
    events.append(.stopped(reason, .timecode(position)))
  }

  /// Distinguishes the nominal rate from the one 0.1 % slower, once one is a thousand times more
  /// likely.
  private mutating func recognizeRate(at time: HostTime, _ events: inout FollowerEvents) {
    guard let position, let nominal = nominalRate?.unslowed else { return }
    let count = direction == .forward ? position.count : -position.count
    regression.add(
      time.nanoseconds, count: count, nominal: Self.period(nominal), jitter: ticks.scatter)
    guard let (slowness, deviation) = regression.slowness, deviation < 250e-6 else { return }
    let (fast, slow) = (abs(slowness), abs(slowness - 0.001))
    guard abs(fast * fast - slow * slow) > 13.8 * deviation * deviation else { return }
    // Far from both, the speed is varied.
    let isVaried = min(fast, slow) > 150e-6 + 4 * deviation
    let found = isVaried ? nil : fast < slow ? nominal : nominal.slowed
    guard found != recognizedRate else { return }
    recognizedRate = found
    if let found { events.append(.recognized(found)) }
  }
}

extension FrameRate {
  /// The rate with the same labels that runs at the nominal speed.
  fileprivate var unslowed: FrameRate {
    switch self {
    case .fps2997Drop: .fps30Drop
    default: self
    }
  }

  /// The rate with the same labels that runs 0.1 % slower.
  fileprivate var slowed: FrameRate {
    switch self {
    case .fps24: .fps23976
    case .fps25: .fps2498
    case .fps30: .fps2997
    case .fps30Drop: .fps2997Drop
    default: self
    }
  }
}
