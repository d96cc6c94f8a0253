// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Dispatch
internal import Foundation

extension AVPlayer {
  /// Returns the position of the item's next sound.
  ///
  /// - Returns: The position; 0 without an item.
  public func currentTime() -> CMTime { currentItem?.currentTime() ?? .zero }

  /// Goes to a position of the item.
  ///
  /// - Parameter time: The position, exact to the frame in files.
  public func seek(to time: CMTime) { seek(to: time) { _ in } }

  /// Goes to a position of the item.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - completionHandler: Is called with true when the sound of the position is played, and with
  ///     false if another seek follows before, or without an item.
  public func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
    guard let item = currentItem else { return completionHandler(false) }
    item.seek(to: time, completionHandler: completionHandler)
    watch.jump()
  }

  /// Goes to a position of the item.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Not used: positions in files are exact.
  ///   - toleranceAfter: Not used.
  public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    seek(to: time) { _ in }
  }

  /// Goes to a position of the item.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Not used: positions in files are exact.
  ///   - toleranceAfter: Not used.
  ///   - completionHandler: As in `seek(to:completionHandler:)`.
  public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) { seek(to: time, completionHandler: completionHandler) }

  /// Goes to a position of the item, and waits until its sound is played.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Not used: positions in files are exact.
  ///   - toleranceAfter: Not used.
  /// - Returns: False if another seek follows before, or without an item.
  @discardableResult
  public func seek(
    to time: CMTime, toleranceBefore: CMTime = .positiveInfinity,
    toleranceAfter: CMTime = .positiveInfinity
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      seek(to: time) { continuation.resume(returning: $0) }
    }
  }

  /// Calls a block at multiples of an interval while the item plays, and when its time jumps.
  ///
  /// - Parameters:
  ///   - interval: The interval; at least 1 ms.
  ///   - queue: The queue of the calls; nil for the main run loop, or a serial queue if that does not
  ///     run.
  ///   - block: Receives the position.
  /// - Returns: An object for `removeTimeObserver`.
  public func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?,
    using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    let seconds = interval.isNumeric ? max(0.001, interval.seconds) : 1
    return TimeObserver(id: watch.add(.periodic(interval: seconds), queue, block))
  }

  /// Calls a block when the item plays through times.
  ///
  /// - Parameters:
  ///   - times: The times. Apple's method takes `NSValue`s, which do not contain times on Linux.
  ///   - queue: The queue of the calls; nil for the main run loop, or a serial queue if that does not
  ///     run.
  ///   - block: The block, which is called once for each time.
  /// - Returns: An object for `removeTimeObserver`.
  public func addBoundaryTimeObserver(
    forTimes times: [CMTime], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
  ) -> Any {
    let seconds = times.filter(\.isNumeric).map(\.seconds).sorted()
    return TimeObserver(id: watch.add(.boundary(seconds), queue) { _ in block() })
  }

  /// Ends the calls of an observer.
  ///
  /// - Parameter observer: The object that the observer's method returned.
  public func removeTimeObserver(_ observer: Any) {
    if let observer = observer as? TimeObserver { watch.remove(observer.id) }
  }
}

/// The object that stands for an observer of time.
private struct TimeObserver {
  let id: Int
}
