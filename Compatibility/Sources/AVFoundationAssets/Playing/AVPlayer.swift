// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Foundation

/// Plays a file or an address.
///
/// All players of a process share one output. If no sound device is available, they play in real
/// time on a null device.
///
/// - Note: Any thread.
open class AVPlayer: NSObject, @unchecked Sendable {
  // Unchecked: what changes is used under the lock.

  /// The state of a player.
  public enum Status: Int, Sendable {
    /// The player's item has not been opened yet.
    case unknown = 0
    /// The player is ready to play its item.
    case readyToPlay = 1
    /// The player cannot play its item.
    case failed = 2
  }

  /// The playback state of a player: playing, paused or waiting.
  public enum TimeControlStatus: Int, Sendable {
    /// The player is paused: its rate is 0.
    case paused = 0
    /// The rate is not 0, but the item is not ready yet or is waiting for data.
    case waitingToPlayAtSpecifiedRate = 1
    /// The player is playing.
    case playing = 2
  }

  /// The action of a player at the end of an item.
  public enum ActionAtItemEnd: Int, Sendable {
    /// The player plays the next item of its queue.
    case advance = 0
    /// The player pauses.
    case pause = 1
    /// The player keeps its rate, and stays at the end of the item.
    case none = 2
  }

  /// A reason for the state `waitingToPlayAtSpecifiedRate`.
  public struct WaitingReason: RawRepresentable, Hashable, Sendable {
    /// The name of the reason.
    public let rawValue: String

    /// Creates a reason from its name.
    ///
    /// - Parameter rawValue: The name of the reason.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The player is waiting for data from an address.
    public static let toMinimizeStalls = WaitingReason(
      rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    /// The player is opening its item.
    public static let evaluatingBufferingRate = WaitingReason(
      rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
    /// The player does not have an item.
    public static let noItemToPlay = WaitingReason(
      rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
  }

  struct State {
    var item: AVPlayerItem?
    var rate: Float = 0
    var defaultRate: Float = 1
    var volume: Float = 1
    var isMuted = false
    var action = ActionAtItemEnd.pause
    var waits = true
  }

  let lock = NSLock()
  var state = State()
  private(set) lazy var watch = TimeWatch { [weak self] in self?.currentTime() ?? .zero }

  /// Creates a player without an item.
  override public init() {
    super.init()
    _ = watch
  }

  /// Creates a player for an item.
  ///
  /// - Parameter item: The item, which is opened on another thread; may be nil.
  public convenience init(playerItem item: AVPlayerItem?) {
    self.init()
    replaceCurrentItem(with: item)
  }

  /// Creates a player for a file or an address.
  ///
  /// - Parameter url: The file or address.
  public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

  deinit { state.item?.core.leave() }

  /// The current item; nil if the player does not have an item.
  open var currentItem: AVPlayerItem? { lock.withLock { state.item } }

  /// Replaces the current item, and continues at the current rate.
  ///
  /// - Parameter item: The new item, which is opened on another thread; may be nil.
  open func replaceCurrentItem(with item: AVPlayerItem?) {
    let (old, rate, volume) = lock.withLock {
      let old = state.item
      state.item = item
      return (old, state.rate, state.isMuted ? 0 : state.volume)
    }
    guard old !== item else { return }
    old?.core.leave()
    item?.core.setVolume(volume)
    item?.core.setRate(rate)
    if let item {
      item.core.open { [weak self, weak item] event in
        if let item { self?.take(event, of: item) }
      }
    }
    watch.jump()
  }

  private func take(_ event: PlaybackEvent, of item: AVPlayerItem) {
    guard currentItem === item else { return }
    switch event {
    case .ready: watch.setRunning(rate != 0)
    case .waiting(let isWaiting): if isWaiting { item.core.post(.AVPlayerItemPlaybackStalled) }
    case .ended:
      watch.end(at: item.duration) { [weak self] in self?.finish(item) }
    case .failed(let error):
      if item.status == .readyToPlay {
        item.core.post(.AVPlayerItemFailedToPlayToEndTime, error)
      }
    }
  }

  private func finish(_ item: AVPlayerItem) {
    if actionAtItemEnd == .pause { pause() }
    item.core.post(.AVPlayerItemDidPlayToEndTime)
    itemDidEnd(item)
  }

  /// Called after the end of an item.
  func itemDidEnd(_ item: AVPlayerItem) {}

  // MARK: Playing

  /// Starts playback at the default rate.
  open func play() { rate = defaultRate }

  /// Pauses playback.
  open func pause() { rate = 0 }

  /// Starts playback at a rate.
  ///
  /// - Parameter rate: The rate, 0.5…2.
  open func playImmediately(atRate rate: Float) { self.rate = rate }

  /// The playback rate: 0 pauses, and 0.5…2 plays at this rate with unchanged pitch.
  ///
  /// Addresses are always played at rate 1. Negative rates pause.
  open var rate: Float {
    get { lock.withLock { state.rate } }
    set {
      let rate = newValue > 0 ? min(2, max(0.5, newValue)) : 0
      let item = lock.withLock {
        state.rate = rate
        return state.item
      }
      item?.core.setRate(rate)
      watch.setRunning(rate != 0)
    }
  }

  /// The rate that `play()` sets; 1 by default.
  open var defaultRate: Float {
    get { lock.withLock { state.defaultRate } }
    set { lock.withLock { state.defaultRate = newValue } }
  }

  /// The volume, 0…1; 1 by default.
  open var volume: Float {
    get { lock.withLock { state.volume } }
    set {
      lock.withLock { state.volume = newValue >= 0 ? min(1, newValue) : 0 }
      applyVolume()
    }
  }

  /// True if the player is muted; false by default.
  open var isMuted: Bool {
    get { lock.withLock { state.isMuted } }
    set {
      lock.withLock { state.isMuted = newValue }
      applyVolume()
    }
  }

  private func applyVolume() {
    let (item, volume) = lock.withLock { (state.item, state.isMuted ? 0 : state.volume) }
    item?.core.setVolume(volume)
  }

  /// The action at the end of an item; `pause` by default.
  open var actionAtItemEnd: ActionAtItemEnd {
    get { lock.withLock { state.action } }
    set { lock.withLock { state.action = newValue } }
  }

  /// True to wait until playback is unlikely to stall.
  ///
  /// The value is ignored: addresses are always buffered first.
  open var automaticallyWaitsToMinimizeStalling: Bool {
    get { lock.withLock { state.waits } }
    set { lock.withLock { state.waits = newValue } }
  }

  /// The state of the player, which is that of its current item.
  open var status: Status {
    switch currentItem?.status {
    case .unknown, nil: .unknown
    case .readyToPlay, .failed: .readyToPlay
    }
  }

  /// Always nil: read `error` of the current item instead.
  open var error: (any Error)? { nil }

  /// The playback state: playing, paused or waiting.
  open var timeControlStatus: TimeControlStatus {
    guard rate != 0 else { return .paused }
    return reasonForWaitingToPlay == nil ? .playing : .waitingToPlayAtSpecifiedRate
  }

  /// The reason why the player is waiting; nil if it is playing or paused.
  open var reasonForWaitingToPlay: WaitingReason? {
    guard rate != 0 else { return nil }
    guard let item = currentItem, item.status != .failed else { return .noItemToPlay }
    if item.status == .unknown { return .evaluatingBufferingRate }
    return item.core.isWaiting ? .toMinimizeStalls : nil
  }
}
