// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension MTCFollower {
  mutating func takeQuarterFrame(
    _ data: UInt8, at time: HostTime, _ events: inout FollowerEvents
  ) {
    switch lock {
    case .idle:
      begin(data, at: time)
    case .acquiring:
      acquire(data, at: time, &events)
    case .locked, .freewheeling:
      follow(data, at: time, &events)
    }
  }

  /// The first message, or the first after silence.
  private mutating func begin(_ data: UInt8, at time: HostTime) {
    lock = .acquiring
    cycle.take(data, isNeighbour: false)
    ticks.update(at: time, steps: 1)
  }

  /// Collects eight consecutive messages.
  private mutating func acquire(
    _ data: UInt8, at time: HostTime, _ events: inout FollowerEvents
  ) {
    let piece = Int(data >> 4)
    guard piece != cycle.last else { return }
    ticks.update(at: time, steps: 1)
    guard let way = Self.way(from: cycle.last, to: piece) else {
      return cycle.take(data, isNeighbour: false)
    }
    if way != direction { cycle.beginRun() }
    direction = way
    cycle.take(data, isNeighbour: true)
    guard let place = decoded, follows(place.code, &events) else { return }
    position = place
    lock = .locked
    recognizedRate = nil
    regression = SpeedRegression()
    events.append(.located(.timecode(place)))
    events.append(.locked)
    startIfPlayable(at: time, &events)
  }

  private mutating func follow(_ data: UInt8, at time: HostTime, _ events: inout FollowerEvents) {
    let gap = ticks.state.distance(to: time.nanoseconds) / ticks.state.period
    if let steps = steps(to: Int(data >> 4), gap) {
      odd = nil
      if steps > 0 { move(by: steps, data, at: time, &events) }
    } else if let odd, let way = Self.way(from: Int(odd >> 4), to: Int(data >> 4)) {
      self.odd = nil
      leave(by: odd, data, way, gap, at: time, &events)
    } else {
      odd = data
    }
  }

  /// The number of quarter frames up to a piece, by its number and by its time; 0 for a double, nil
  /// if the two are inconsistent.
  private func steps(to piece: Int, _ gap: Double) -> Int? {
    let near = (piece - cycle.last) * Int(direction.rawValue) & 7
    if near == 1, gap < 5 { return 1 }
    if near == 0, gap < 0.5 { return 0 }
    guard gap < 1e6 else { return nil }
    let steps = near + 8 * Int(((gap - Double(near)) / 8).rounded())
    return steps > 0 && abs(gap - Double(steps)) < 0.5 + 0.1 * gap ? steps : nil
  }

  /// The direction from one piece to its neighbour; nil if they are not neighbours.
  private static func way(from piece: Int, to other: Int) -> TimeDirection? {
    switch (other - piece) & 7 {
    case 1: .forward
    case 7: .reverse
    default: nil
    }
  }

  private mutating func move(
    by steps: Int, _ data: UInt8, at time: HostTime, _ events: inout FollowerEvents
  ) {
    ticks.update(at: time, steps: steps)
    cycle.take(data, isNeighbour: steps == 1)
    shift(by: Int64(steps))
    if lock == .freewheeling {
      lock = .locked
      events.append(.locked)
    }
    settle(at: time, &events)
  }

  /// Handles two neighbours that do not follow the last message: time code turned round or jumped.
  private mutating func leave(
    by odd: UInt8, _ data: UInt8, _ way: TimeDirection, _ gap: Double, at time: HostTime,
    _ events: inout FollowerEvents
  ) {
    let turn = (Int(odd >> 4) - cycle.last) * Int(way.rawValue) & 7
    let isTurn = way != direction && turn <= 1
    cycle.take(odd, isNeighbour: false)
    cycle.take(data, isNeighbour: true)
    let elapsed = min(max(1, gap.rounded()), 1e6)
    ticks.rephase(at: time, steps: Int(elapsed))
    regression = SpeedRegression()
    if way != direction {
      direction = way
      events.append(.turned(way))
      if way == .reverse { stop(.notPlayable, &events) }
    }
    // At a turn the pieces show the distance. After a jump the count freewheels until the time code
    // is complete again.
    shift(by: isTurn ? Int64(turn + 1) : Int64(elapsed))
    settle(at: time, &events)
  }

  /// The position in the last eight messages.
  var decoded: QuarterFrameCount? {
    mutating get { cycle.position(isReverse: direction == .reverse) }
  }

  mutating func shift(by steps: Int64) {
    position?.count += Int64(direction.rawValue) * steps
  }
}
