// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CoreMedia
internal import Dispatch
internal import Foundation

/// Calls the observers of a player's time.
///
/// - Note: Any thread.
final class TimeWatch: @unchecked Sendable {
  // Unchecked: everything is used on the queue, but for the closures, which do not change.

  private struct Call {
    let queue: DispatchQueue?
    let body: @Sendable (CMTime) -> Void
  }

  private let queue = DispatchQueue(label: "player time")
  private let time: @Sendable () -> CMTime
  private var observers = TimeObservers()
  private var calls: [Int: Call] = [:]
  private var last = 0.0
  private var timer: (any DispatchSourceTimer)?
  private var isRunning = false

  /// The milliseconds between two looks at the time.
  private static let pause = 5

  /// Creates a watch.
  ///
  /// - Parameter time: Returns the present time.
  init(_ time: @escaping @Sendable () -> CMTime) { self.time = time }

  deinit { timer?.cancel() }

  /// Adds an observer.
  ///
  /// - Returns: Its number.
  func add(
    _ rule: TimeObservers.Rule, _ queue: DispatchQueue?,
    _ body: @escaping @Sendable (CMTime) -> Void
  ) -> Int {
    self.queue.sync {
      if observers.isEmpty { last = seconds }
      let id = observers.add(rule)
      calls[id] = Call(queue: queue, body: body)
      updateTimer()
      return id
    }
  }

  /// Removes an observer, which is not called afterwards.
  func remove(_ id: Int) {
    queue.async { [self] in
      observers.remove(id)
      calls[id] = nil
      updateTimer()
    }
  }

  /// Notes that playback starts or stops.
  func setRunning(_ isRunning: Bool) {
    queue.async { [self] in
      guard self.isRunning != isRunning else { return }
      if !isRunning { look(through: seconds) }
      self.isRunning = isRunning
      last = seconds
      call(observers.atJump)
      updateTimer()
    }
  }

  /// Notes that the time has jumped.
  func jump() {
    queue.async { [self] in
      last = seconds
      call(observers.atJump)
    }
  }

  /// Calls the observers up to the end of an item, then a closure.
  func end(at time: CMTime, then body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      if time.isNumeric { look(through: time.seconds) }
      body()
    }
  }

  private var seconds: Double {
    let now = time()
    return now.isNumeric ? now.seconds : 0
  }

  private func look(through now: Double) {
    // A time that is not later belongs to a jump, which is reported too.
    guard now > last else { return }
    let due = observers.due(from: last, to: now)
    last = now
    call(due)
  }

  private func call(_ ids: [Int]) {
    let now = time()
    for call in ids.compactMap({ calls[$0] }) {
      if let queue = call.queue {
        queue.async { call.body(now) }
      } else {
        CallbackLoop.perform(orOn: Self.callbacks) { call.body(now) }
      }
    }
  }

  private static let callbacks = DispatchQueue(label: "player callbacks")

  private func updateTimer() {
    guard isRunning, !observers.isEmpty else {
      timer?.cancel()
      timer = nil
      return
    }
    guard timer == nil else { return }
    let new = DispatchSource.makeTimerSource(queue: queue)
    new.schedule(deadline: .now(), repeating: .milliseconds(Self.pause))
    new.setEventHandler { [weak self] in
      guard let self else { return }
      look(through: seconds)
    }
    new.resume()
    timer = new
  }
}
