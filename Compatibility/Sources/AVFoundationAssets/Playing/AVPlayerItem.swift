// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
internal import Dispatch
public import Foundation

/// A file or address to be played by a player, with its position and state.
///
/// The item is opened when a player receives it; until then its state is `unknown`.
///
/// - Note: Any thread.
open class AVPlayerItem: NSObject, @unchecked Sendable {
  // Unchecked: the core has a lock.

  /// The state of an item.
  public enum Status: Int, Sendable {
    /// The item has not been opened yet.
    case unknown = 0
    /// The item is ready to be played.
    case readyToPlay = 1
    /// The item cannot be played, for the reason in `error`.
    case failed = 2
  }

  /// The asset that is played.
  public let asset: AVAsset
  let core: ItemCore

  /// Creates an item for an asset.
  ///
  /// - Parameter asset: The asset to play.
  public init(asset: AVAsset) {
    self.asset = asset
    core = ItemCore(asset.source)
    super.init()
    core.item = self
  }

  /// Creates an item for a file or an address.
  ///
  /// - Parameter url: The file or address.
  public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }

  /// Creates an item for an asset.
  ///
  /// - Parameters:
  ///   - asset: The asset to play.
  ///   - automaticallyLoadedAssetKeys: Ignored: all properties are loaded.
  public convenience init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
    self.init(asset: asset)
  }

  deinit { core.close() }

  /// The state of the item.
  open var status: Status { core.status }

  /// The reason for the failure if `status` is `failed`; otherwise nil.
  open var error: (any Error)? { core.error }

  /// The duration; `.indefinite` until the item is ready, and for a live stream.
  open var duration: CMTime { core.duration }

  /// Returns the playback position.
  ///
  /// - Returns: The position; at the end of playback, the duration.
  open func currentTime() -> CMTime { core.time }

  /// Moves to a position.
  ///
  /// - Parameter time: The position, exact to the frame in files.
  open func seek(to time: CMTime) { core.seek(to: time) { _ in } }

  /// Moves to a position.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - completionHandler: Called with true when playback has reached the position; called with
  ///     false if another seek replaces this one.
  open func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
    core.seek(to: time) { completionHandler?($0) }
  }

  /// Moves to a position.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Ignored: seeking in files is exact.
  ///   - toleranceAfter: Ignored.
  open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    seek(to: time)
  }

  /// Moves to a position.
  ///
  /// - Parameters:
  ///   - time: The position, exact to the frame in files.
  ///   - toleranceBefore: Ignored: seeking in files is exact.
  ///   - toleranceAfter: Ignored.
  ///   - completionHandler: Called as in `seek(to:completionHandler:)`.
  open func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: (@Sendable (Bool) -> Void)?
  ) { seek(to: time, completionHandler: completionHandler) }

  /// True unless the item is waiting for data from an address.
  open var isPlaybackLikelyToKeepUp: Bool { core.status == .readyToPlay && !core.isWaiting }

  /// True if the item is waiting for data from an address.
  open var isPlaybackBufferEmpty: Bool { core.isWaiting }

  /// True if the item can be played at rates below 1; false for addresses.
  open var canPlaySlowForward: Bool { core.isFile }

  /// True if the item can be played at rates above 1; false for addresses.
  open var canPlayFastForward: Bool { core.isFile }

  /// True if the item can be played backwards; always false.
  open var canPlayReverse: Bool { false }
}

extension AVPlayerItem {
  /// Posted when an item has played to its end.
  public static let didPlayToEndTimeNotification = NSNotification.Name
    .AVPlayerItemDidPlayToEndTime
  /// Posted when playback of an item fails before its end.
  public static let failedToPlayToEndTimeNotification = NSNotification.Name
    .AVPlayerItemFailedToPlayToEndTime
  /// Posted when the position of an item jumps.
  public static let timeJumpedNotification = NSNotification.Name.AVPlayerItemTimeJumped
  /// Posted when playback stalls because data from an address is missing.
  public static let playbackStalledNotification = NSNotification.Name.AVPlayerItemPlaybackStalled
}

/// The key of the error in the user info of `AVPlayerItemFailedToPlayToEndTime`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey =
  "AVPlayerItemFailedToPlayToEndTimeErrorKey"

extension NSNotification.Name {
  /// Posted when an item has played to its end.
  public static let AVPlayerItemDidPlayToEndTime = NSNotification.Name(
    "AVPlayerItemDidPlayToEndTimeNotification")
  /// Posted when playback of an item fails before its end.
  public static let AVPlayerItemFailedToPlayToEndTime = NSNotification.Name(
    "AVPlayerItemFailedToPlayToEndTimeNotification")
  /// Posted when the position of an item jumps.
  public static let AVPlayerItemTimeJumped = NSNotification.Name(
    "AVPlayerItemTimeJumpedNotification")
  /// Posted when playback stalls because data from an address is missing.
  public static let AVPlayerItemPlaybackStalled = NSNotification.Name(
    "AVPlayerItemPlaybackStalledNotification")
}
