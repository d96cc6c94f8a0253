// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import AudioToolbox
internal import ClipPlayback
internal import Dispatch
public import Foundation
internal import Synchronization

/// Plays a sound from a file or from memory.
///
/// All players share one output. Without a device they play on the null output, in real time.
///
/// - Note: Any thread.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
  // Unchecked: the delegate is used under a lock; the core is sendable.

  private let core: PlayerCore
  private let facts: PlayerSound.Facts
  private let owner: Owner
  private let lock = NSLock()
  private weak var listener: (any AVAudioPlayerDelegate)?
  private let meter: PowerMeter
  private static let queue = DispatchQueue(label: "players")

  /// The file; nil for a sound in memory.
  public let url: URL?
  /// The bytes of the sound; nil for a file.
  public let data: Data?

  // The core's closure must not keep the player.
  private final class Owner: @unchecked Sendable {
    weak var player: AVAudioPlayer?
  }

  /// Opens a file.
  ///
  /// - Parameter url: The file.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: −43, 'typ?', 'dta?' or 'prm?'.
  public convenience init(contentsOf url: URL) throws {
    try self.init(contentsOf: url, fileTypeHint: nil)
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - utiString: Not used: the format is detected from the content.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: −43, 'typ?', 'dta?' or 'prm?'.
  public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    (owner, core) = Self.makeCore()
    facts = try PlayerSound.open(url, in: core.player)
    meter = PowerMeter(channelCount: facts.channelCount)
    (self.url, data) = (url, nil)
    super.init()
    owner.player = self
  }

  /// Opens a sound in memory.
  ///
  /// - Parameter data: The bytes of a file.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: 'typ?' or 'dta?'.
  public convenience init(data: Data) throws {
    try self.init(data: data, fileTypeHint: nil)
  }

  /// Opens a sound in memory.
  ///
  /// - Parameters:
  ///   - data: The bytes of a file.
  ///   - utiString: Not used: the format is detected from the content.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: 'typ?' or 'dta?'.
  public init(data: Data, fileTypeHint utiString: String?) throws {
    (owner, core) = Self.makeCore()
    facts = try PlayerSound.open(data, in: core.player)
    meter = PowerMeter(channelCount: facts.channelCount)
    (url, self.data) = (nil, data)
    super.init()
    owner.player = self
  }

  private static func makeCore() -> (Owner, PlayerCore) {
    let owner = Owner()
    let core = PlayerCore { [weak owner] isWhole in
      CallbackLoop.perform(orOn: queue) { [weak owner] in owner?.player?.finish(isWhole) }
    }
    return (owner, core)
  }

  private func finish(_ isWhole: Bool) {
    let delegate = self.delegate
    if !isWhole {
      let error = NSError(domain: NSOSStatusErrorDomain, code: 0x6474_613F)
      delegate?.audioPlayerDecodeErrorDidOccur(self, error: error)
    }
    delegate?.audioPlayerDidFinishPlaying(self, successfully: isWhole)
  }

  /// The object that is notified of the end.
  open weak var delegate: (any AVAudioPlayerDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  // MARK: Playing

  /// Reads the first samples and opens the output.
  ///
  /// - Returns: False if the output cannot be opened.
  @discardableResult
  open func prepareToPlay() -> Bool { core.prepare() }

  /// Plays from the present position; a player that has ended plays from the beginning.
  ///
  /// - Returns: False if the output cannot be opened.
  @discardableResult
  open func play() -> Bool { core.play(at: nil) }

  /// Plays at a time, to the frame; players with one time are in sync.
  ///
  /// - Parameter time: The time, as `deviceCurrentTime` counts.
  /// - Returns: False if the output cannot be opened.
  @discardableResult
  open func play(atTime time: TimeInterval) -> Bool { core.play(at: time) }

  /// Stops; `play` continues at this position.
  open func pause() { core.pause() }

  /// Stops and leaves the output; the position stays.
  open func stop() { core.stop() }

  /// True from `play` until the end, `pause` or `stop`.
  open var isPlaying: Bool { core.isPlaying }

  /// The Objective-C name of `isPlaying`.
  public var playing: Bool { isPlaying }

  /// The number of further passes after the first; negative for endless; 0 by default.
  open var numberOfLoops: Int {
    get { core.loops }
    set { core.loops = newValue }
  }

  // MARK: Sound

  /// The volume, 0…1, and up to 16 is accepted; 1 by default.
  open var volume: Float {
    get { core.volume }
    set { core.volume = newValue }
  }

  /// Changes the volume evenly over a time.
  ///
  /// - Parameters:
  ///   - volume: The volume, 0…1.
  ///   - duration: The time in seconds.
  open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
    core.setVolume(volume, over: duration)
  }

  /// The position between left (−1) and right (1); 0 by default.
  open var pan: Float {
    get { core.pan }
    set { core.pan = newValue }
  }

  /// True if `rate` takes effect; to be set before `prepareToPlay` and `play`; false by default.
  open var enableRate: Bool {
    get { core.canChangeRate }
    set { core.canChangeRate = newValue }
  }

  /// The rate, 0.5…2, at the same pitch; 1 by default.
  open var rate: Float {
    get { core.rate }
    set { core.rate = newValue }
  }

  // MARK: Time

  /// The position in seconds; 0 after the end.
  open var currentTime: TimeInterval {
    get { core.seconds }
    set { core.seconds = facts.frames > 0 ? min(newValue, duration) : newValue }
  }

  /// The length in seconds.
  open var duration: TimeInterval { facts.seconds }

  /// The seconds that the output has played since the first of the present players joined it.
  open var deviceCurrentTime: TimeInterval { PlayerOutput.shared.time }

  /// The number of channels of the file.
  open var numberOfChannels: Int { facts.channelCount }

  /// The format of the file.
  open var format: AVAudioFormat { AVAudioFormat(facts.description, layout: facts.layout) }

  /// The format of the file as settings.
  open var settings: [String: Any] { format.settings }

  // MARK: Meters

  /// True if `updateMeters` measures; false by default.
  open var isMeteringEnabled: Bool {
    get { meter.isEnabled }
    set { meter.isEnabled = newValue }
  }

  /// Reads the meters.
  open func updateMeters() { meter.update(core.player.level) }

  /// The peak level at the last `updateMeters`.
  ///
  /// - Parameter channelNumber: 0 for left, 1 for right.
  /// - Returns: The level in dB of full scale, −160…0 and above for clipping.
  open func peakPower(forChannel channelNumber: Int) -> Float { meter.peak(channelNumber) }

  /// The average level at the last `updateMeters`.
  ///
  /// - Parameter channelNumber: 0 for left, 1 for right.
  /// - Returns: The level in dB of full scale, −160…0.
  open func averagePower(forChannel channelNumber: Int) -> Float { meter.average(channelNumber) }
}
