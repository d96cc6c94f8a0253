// SPDX-License-Identifier: Apache-2.0
internal import CoreMedia
internal import Foundation

/// The observers of a player's time, as a value: which of them are due when the time moves.
struct TimeObservers {
  /// The times of an observer.
  enum Rule {
    /// Multiples of an interval, and times at which the time jumps.
    case periodic(interval: Double)
    /// Given times, in seconds and in order.
    case boundary([Double])
  }

  private var rules: [(id: Int, rule: Rule)] = []
  private var nextID = 0

  /// True without observers.
  var isEmpty: Bool { rules.isEmpty }

  /// Adds an observer.
  ///
  /// - Parameter rule: Its times.
  /// - Returns: Its number.
  mutating func add(_ rule: Rule) -> Int {
    nextID += 1
    rules.append((nextID, rule))
    return nextID
  }

  /// Removes an observer.
  mutating func remove(_ id: Int) { rules.removeAll { $0.id == id } }

  /// The observers that are due when the time plays on, in the order of their times.
  ///
  /// - Parameters:
  ///   - from: The last time in seconds, which is not part of the interval.
  ///   - to: The present time, which is.
  /// - Returns: The numbers of observers, each at most once for each of its times; a periodic one once.
  func due(from: Double, to: Double) -> [Int] {
    guard to > from else { return [] }
    var due: [(time: Double, id: Int)] = []
    for (id, rule) in rules {
      switch rule {
      case .periodic(let interval):
        let last = (to / interval).rounded(.down) * interval
        if last > from { due.append((last, id)) }
      case .boundary(let times):
        due += times.filter { $0 > from && $0 <= to }.map { ($0, id) }
      }
    }
    return due.sorted { ($0.time, $0.id) < ($1.time, $1.id) }.map(\.id)
  }

  /// The observers that are due when the time jumps, or playback starts or stops: all periodic ones.
  var atJump: [Int] {
    rules.compactMap { id, rule in
      if case .periodic = rule { id } else { nil }
    }
  }
}
