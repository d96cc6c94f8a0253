// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
internal import Dispatch
public import Foundation

/// A sound of a player: its position and its state.
///
/// A player opens its item; before that the state is `unknown`.
///
/// - Note: Any thread.
open class AVPlayerItem: NSObject, @unchecked Sendable {
  // Unchecked: the core has a lock.

  /// The state of an item.
  public enum Status: Int, Sendable {
    /// It was not opened so far.
    case unknown = 0
    /// It can be played.
    case readyToPlay = 1
    /// It cannot be played; `error` has the reason.
    case failed = 2
  }

  /// The sound.
  public let asset: AVAsset
  let core: ItemCore

  /// Creates an item.
  ///
  /// - Parameter asset: The sound.
  public init(asset: AVAsset) {
    self.asset = asset
    core = ItemCore(asset.source)
    super.init()
    core.item = self
  }

  /// Creates an item of a file or an address.
  ///
  /// - Parameter url: The file or address.
  public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - asset: The sound.
  ///   - automaticallyLoadedAssetKeys: Not used: all properties are read.
  public convenience init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
    self.init(asset: asset)
  }

  deinit { core.close() }

  /// The state.
  open var status: Status { core.status }

  /// The reason of the state `failed`; otherwise nil.
  open var error: (any Error)? { core.error }

  /// The length; `.indefinite` before the item is ready, and for a broadcast.
  open var duration: CMTime { core.duration }

  /// Returns the position of the next sound.
  ///
  /// - Returns: The position; the length after the end.
  open func currentTime() -> CMTime { core.time }

  /// Goes to a position.
  ///
  /// - Parameter time: The position, exact to the frame in files.
  open func seek(to time: CMTime) { core.seek(to: time) { _ in } }

  /// Goes to a position.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - completionHandler: Is called with true when the sound of the position is played, and with
  ///     false if another seek follows before.
  open func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
    core.seek(to: time) { completionHandler?($0) }
  }

  /// Goes to a position.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Not used: positions in files are exact.
  ///   - toleranceAfter: Not used.
  open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    seek(to: time)
  }

  /// Goes to a position.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Not used: positions in files are exact.
  ///   - toleranceAfter: Not used.
  ///   - completionHandler: As in `seek(to:completionHandler:)`.
  open func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: (@Sendable (Bool) -> Void)?
  ) { seek(to: time, completionHandler: completionHandler) }

  /// True unless an address waits for data.
  open var isPlaybackLikelyToKeepUp: Bool { core.status == .readyToPlay && !core.isWaiting }

  /// True if an address waits for data.
  open var isPlaybackBufferEmpty: Bool { core.isWaiting }

  /// True if rates between 0 and 1 are possible.
  open var canPlaySlowForward: Bool { core.isFile }

  /// True if rates above 1 are possible.
  open var canPlayFastForward: Bool { core.isFile }

  /// False: sounds are not played backwards.
  open var canPlayReverse: Bool { false }
}

extension AVPlayerItem {
  /// Posted when an item was played to its end.
  public static let didPlayToEndTimeNotification = NSNotification.Name
    .AVPlayerItemDidPlayToEndTime
  /// Posted when an item cannot be played further.
  public static let failedToPlayToEndTimeNotification = NSNotification.Name
    .AVPlayerItemFailedToPlayToEndTime
  /// Posted when the position of an item jumps.
  public static let timeJumpedNotification = NSNotification.Name.AVPlayerItemTimeJumped
  /// Posted when an address waits for data.
  public static let playbackStalledNotification = NSNotification.Name.AVPlayerItemPlaybackStalled
}

/// The key of the error in `AVPlayerItemFailedToPlayToEndTime`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey =
  "AVPlayerItemFailedToPlayToEndTimeErrorKey"

extension NSNotification.Name {
  /// Posted when an item was played to its end.
  public static let AVPlayerItemDidPlayToEndTime = NSNotification.Name(
    "AVPlayerItemDidPlayToEndTimeNotification")
  /// Posted when an item cannot be played further.
  public static let AVPlayerItemFailedToPlayToEndTime = NSNotification.Name(
    "AVPlayerItemFailedToPlayToEndTimeNotification")
  /// Posted when the position of an item jumps.
  public static let AVPlayerItemTimeJumped = NSNotification.Name(
    "AVPlayerItemTimeJumpedNotification")
  /// Posted when an address waits for data.
  public static let AVPlayerItemPlaybackStalled = NSNotification.Name(
    "AVPlayerItemPlaybackStalledNotification")
}
