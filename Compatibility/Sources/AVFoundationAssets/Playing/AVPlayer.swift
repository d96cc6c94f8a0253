// SPDX-License-Identifier: Apache-2.0
public import CoreMedia
public import Foundation

/// Plays a file or an address.
///
/// All players of a process share one output; without a device they play on the null output, in real
/// time.
///
/// - Note: Any thread.
open class AVPlayer: NSObject, @unchecked Sendable {
  // Unchecked: what changes is used under the lock.

  /// The state of a player.
  public enum Status: Int, Sendable {
    /// Its item was not opened so far.
    case unknown = 0
    /// It can play items.
    case readyToPlay = 1
    /// It cannot play.
    case failed = 2
  }

  /// Playing, paused or waiting.
  public enum TimeControlStatus: Int, Sendable {
    /// The rate is 0.
    case paused = 0
    /// The rate is not 0, but the item is not ready or waits for data.
    case waitingToPlayAtSpecifiedRate = 1
    /// It plays.
    case playing = 2
  }

  /// The action at the end of an item.
  public enum ActionAtItemEnd: Int, Sendable {
    /// The next item of a queue is played.
    case advance = 0
    /// The rate becomes 0.
    case pause = 1
    /// The rate stays.
    case none = 2
  }

  /// The reason of `waitingToPlayAtSpecifiedRate`.
  public struct WaitingReason: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a reason.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An address waits for data.
    public static let toMinimizeStalls = WaitingReason(
      rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    /// The item is being opened.
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

  /// Creates a player.
  ///
  /// - Parameter item: The item, which is opened on another thread; nil for none.
  public convenience init(playerItem item: AVPlayerItem?) {
    self.init()
    replaceCurrentItem(with: item)
  }

  /// Creates a player of a file or an address.
  ///
  /// - Parameter url: The file or address.
  public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

  deinit { state.item?.core.leave() }

  /// The item.
  open var currentItem: AVPlayerItem? { lock.withLock { state.item } }

  /// Plays another item, from its position, at the present rate.
  ///
  /// - Parameter item: The item, which is opened on another thread; nil for none.
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

  /// Plays at the default rate.
  open func play() { rate = defaultRate }

  /// Pauses.
  open func pause() { rate = 0 }

  /// Plays at a rate.
  ///
  /// - Parameter rate: The rate, 0.5…2.
  open func playImmediately(atRate rate: Float) { self.rate = rate }

  /// The rate: 0 to pause, otherwise 0.5…2 at the same pitch; an address has the rate 1.
  ///
  /// Negative rates pause.
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

  /// The rate of `play()`; 1 by default.
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

  /// True for silence; false by default.
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

  /// Stored; an address always waits for a reserve.
  open var automaticallyWaitsToMinimizeStalling: Bool {
    get { lock.withLock { state.waits } }
    set { lock.withLock { state.waits = newValue } }
  }

  /// The state: that of the item, if there is one.
  open var status: Status {
    switch currentItem?.status {
    case .unknown, nil: .unknown
    case .readyToPlay, .failed: .readyToPlay
    }
  }

  /// Nil: errors are those of items.
  open var error: (any Error)? { nil }

  /// Playing, paused or waiting.
  open var timeControlStatus: TimeControlStatus {
    guard rate != 0 else { return .paused }
    return reasonForWaitingToPlay == nil ? .playing : .waitingToPlayAtSpecifiedRate
  }

  /// The reason for which the player waits; nil if it plays or is paused.
  open var reasonForWaitingToPlay: WaitingReason? {
    guard rate != 0 else { return nil }
    guard let item = currentItem, item.status != .failed else { return .noItemToPlay }
    if item.status == .unknown { return .evaluatingBufferingRate }
    return item.core.isWaiting ? .toMinimizeStalls : nil
  }
}
