// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import CoreMedia
internal import Dispatch
internal import Foundation

/// The state of a player's item, and its sound once a player has opened it.
///
/// - Note: Any thread.
final class ItemCore: @unchecked Sendable {
  // Unchecked: what changes is used under the lock.

  private struct State {
    var status = AVPlayerItem.Status.unknown
    var error: AVError?
    var playback: (any ItemPlayback)?
    var isOpening = false
    var isClosed = false
    /// The rate at which the player wants to play; 0 to pause.
    var rate: Float = 0
    var volume: Float = 1
    var hasEnded = false
    var isWaiting = false
    /// A position that was asked for before the sound was opened.
    var wanted: CMTime?
    var seekCount = 0
    /// The completion of the last seek.
    var completion: (@Sendable (Bool) -> Void)?
    var listener: (@Sendable (PlaybackEvent) -> Void)?
  }

  /// The item, for notifications.
  weak var item: AVPlayerItem?
  private let source: AssetSource
  private let lock = NSLock()
  private var state = State()
  private let queue = DispatchQueue(label: "player item")
  private static let callbacks = DispatchQueue(label: "player notifications")

  init(_ source: AssetSource) { self.source = source }

  var isFile: Bool { source.path != nil }
  var status: AVPlayerItem.Status { lock.withLock { state.status } }
  var error: AVError? { lock.withLock { state.error } }
  var isWaiting: Bool { lock.withLock { state.isWaiting } }

  var duration: CMTime {
    let (playback, status) = lock.withLock { (state.playback, state.status) }
    guard status == .readyToPlay else { return .indefinite }
    return playback?.duration ?? .indefinite
  }

  /// The position; the length after the end.
  var time: CMTime {
    let (playback, hasEnded, wanted) = lock.withLock {
      (state.playback, state.hasEnded, state.wanted)
    }
    if let wanted { return wanted }
    guard let playback else { return .zero }
    return hasEnded && playback.duration.isNumeric ? playback.duration : playback.time
  }

  /// Opens the sound, if that was not begun.
  ///
  /// - Parameter listener: Receives events, on any thread.
  func open(_ listener: @escaping @Sendable (PlaybackEvent) -> Void) {
    let isFirst = lock.withLock {
      state.listener = listener
      guard !state.isOpening else { return false }
      state.isOpening = true
      return true
    }
    guard isFirst else {
      if status == .readyToPlay { listener(.ready) }
      return
    }
    queue.async { [weak self] in self?.make() }
  }

  private func make() {
    do {
      let report: @Sendable (PlaybackEvent) -> Void = { [weak self] in self?.take($0) }
      let playback: any ItemPlayback
      if let path = source.path {
        playback = try FilePlayback(path: path, source.facts(), report: report)
      } else {
        playback = try AddressPlayback(source.url.absoluteString, report: report)
      }
      start(playback)
      if source.path != nil { take(.ready) }
    } catch {
      take(.failed(error))
    }
  }

  /// Applies what was asked for before the sound was opened.
  private func start(_ playback: any ItemPlayback) {
    let (state, completion) = lock.withLock { () -> (State, (@Sendable (Bool) -> Void)?) in
      if !self.state.isClosed { self.state.playback = playback }
      defer { (self.state.wanted, self.state.completion) = (nil, nil) }
      return (self.state, self.state.completion)
    }
    guard !state.isClosed else { return playback.close() }
    playback.setVolume(state.volume)
    if let wanted = state.wanted { playback.seek(to: wanted) { completion?(true) } }
    if state.rate > 0 { _ = playback.play(rate: state.rate) }
  }

  private func take(_ event: PlaybackEvent) {
    let listener = lock.withLock { () -> (@Sendable (PlaybackEvent) -> Void)? in
      switch event {
      case .ready: state.status = .readyToPlay
      case .waiting(let isWaiting): state.isWaiting = isWaiting
      case .ended: state.hasEnded = true
      case .failed(let error):
        // A sound that has begun stays ready.
        if state.status == .unknown { (state.status, state.error) = (.failed, error) }
      }
      return state.listener
    }
    listener?(event)
  }

  /// Plays at a rate, or pauses with 0; at the end nothing is played until a seek.
  func setRate(_ rate: Float) {
    let playback = lock.withLock { () -> (any ItemPlayback)? in
      state.rate = rate
      return state.hasEnded ? nil : state.playback
    }
    guard let playback else { return }
    if rate > 0 { _ = playback.play(rate: rate) } else { playback.pause() }
  }

  func setVolume(_ volume: Float) {
    let playback = lock.withLock {
      state.volume = volume
      return state.playback
    }
    playback?.setVolume(volume)
  }

  /// Goes to a position; the completion of an earlier seek that waits receives false.
  func seek(to time: CMTime, _ completion: @escaping @Sendable (Bool) -> Void) {
    guard time.isNumeric else { return completion(false) }
    let (playback, number, old, rate) = lock.withLock {
      state.seekCount += 1
      let old = state.completion
      state.completion = completion
      if state.playback == nil { state.wanted = CMTimeMaximum(.zero, time) }
      let wasAtEnd = state.hasEnded
      state.hasEnded = false
      return (state.playback, state.seekCount, old, wasAtEnd ? state.rate : 0)
    }
    old?(false)
    guard let playback else { return }
    let end = playback.duration
    let target = CMTimeMaximum(.zero, end.isNumeric ? CMTimeMinimum(time, end) : time)
    playback.seek(to: target) { [weak self] in self?.finishSeek(number) }
    if rate > 0 { _ = playback.play(rate: rate) }
    post(.AVPlayerItemTimeJumped)
  }

  private func finishSeek(_ number: Int) {
    let completion = lock.withLock { () -> (@Sendable (Bool) -> Void)? in
      guard state.seekCount == number else { return nil }
      return state.completion.take()
    }
    completion?(true)
  }

  /// Ends playing for good.
  func close() {
    let (playback, completion) = lock.withLock {
      (state.isClosed, state.listener) = (true, nil)
      return (state.playback.take(), state.completion.take())
    }
    playback?.close()
    completion?(false)
  }

  /// Leaves the player: the position is kept, and another player can open the item.
  func leave() {
    let playback = lock.withLock {
      state.listener = nil
      state.rate = 0
      return state.playback
    }
    playback?.pause()
  }

  /// Posts a notification of the item.
  func post(_ name: NSNotification.Name, _ error: AVError? = nil) {
    CallbackLoop.perform(orOn: Self.callbacks) { [weak item] in
      guard let item else { return }
      let info = error.map { [AVPlayerItemFailedToPlayToEndTimeErrorKey: $0 as any Error] }
      NotificationCenter.default.post(name: name, object: item, userInfo: info)
    }
  }
}
