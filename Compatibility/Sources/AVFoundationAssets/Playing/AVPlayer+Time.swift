// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Dispatch
internal import Foundation

extension AVPlayer {
  /// Returns the playback position in the current item.
  ///
  /// - Returns: The position; 0 if the player does not have an item.
  public func currentTime() -> CMTime { currentItem?.currentTime() ?? .zero }

  /// Moves to a position in the current item.
  ///
  /// - Parameter time: The position, exact to the frame in files.
  public func seek(to time: CMTime) { seek(to: time) { _ in } }

  /// Moves to a position in the current item.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - completionHandler: Called with true when playback has reached the position; called with
  ///     false if another seek replaces this one, or the player does not have an item.
  public func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
    guard let item = currentItem else { return completionHandler(false) }
    item.seek(to: time, completionHandler: completionHandler)
    watch.jump()
  }

  /// Moves to a position in the current item.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Ignored: seeking in files is exact.
  ///   - toleranceAfter: Ignored.
  public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    seek(to: time) { _ in }
  }

  /// Moves to a position in the current item.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Ignored: seeking in files is exact.
  ///   - toleranceAfter: Ignored.
  ///   - completionHandler: Called as in `seek(to:completionHandler:)`.
  public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) { seek(to: time, completionHandler: completionHandler) }

  /// Moves to a position in the current item, and waits until playback has reached it.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Ignored: seeking in files is exact.
  ///   - toleranceAfter: Ignored.
  /// - Returns: False if another seek replaces this one, or the player does not have an item.
  @discardableResult
  public func seek(
    to time: CMTime, toleranceBefore: CMTime = .positiveInfinity,
    toleranceAfter: CMTime = .positiveInfinity
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      seek(to: time) { continuation.resume(returning: $0) }
    }
  }

  /// Calls a block at every multiple of an interval during playback, and when the position jumps.
  ///
  /// - Parameters:
  ///   - interval: The interval, at least 1 ms.
  ///   - queue: The queue on which the block is called. If nil, the block is called on the main run
  ///     loop, or on a serial queue if the main run loop is not running.
  ///   - block: Receives the playback position.
  /// - Returns: An object to pass to `removeTimeObserver`.
  public func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?,
    using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    let seconds = interval.isNumeric ? max(0.001, interval.seconds) : 1
    return TimeObserver(id: watch.add(.periodic(interval: seconds), queue, block))
  }

  /// Calls a block when playback passes certain times.
  ///
  /// - Parameters:
  ///   - times: The times. Apple's method takes `NSValue`s, which cannot contain times on Linux.
  ///   - queue: The queue on which the block is called. If nil, the block is called on the main run
  ///     loop, or on a serial queue if the main run loop is not running.
  ///   - block: Called each time playback passes one of the times.
  /// - Returns: An object to pass to `removeTimeObserver`.
  public func addBoundaryTimeObserver(
    forTimes times: [CMTime], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
  ) -> Any {
    let seconds = times.filter(\.isNumeric).map(\.seconds).sorted()
    return TimeObserver(id: watch.add(.boundary(seconds), queue) { _ in block() })
  }

  /// Removes a time observer; its block is not called any more.
  ///
  /// - Parameter observer: The object that was returned when the observer was added.
  public func removeTimeObserver(_ observer: Any) {
    if let observer = observer as? TimeObserver { watch.remove(observer.id) }
  }
}

/// The object that stands for an observer of time.
private struct TimeObserver {
  let id: Int
}
