// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import AudioToolbox
internal import ClipPlayback
internal import Dispatch
public import Foundation
internal import Synchronization

/// A player for one sound from a file or memory.
///
/// All players share one output. If no sound device is available, they play in real time on the
/// null output.
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

  /// The URL of the file; nil if the sound is in memory.
  public let url: URL?
  /// The data of the sound in memory; nil if the sound is in a file.
  public let data: Data?

  // The core's closure must not keep the player.
  private final class Owner: @unchecked Sendable {
    weak var player: AVAudioPlayer?
  }

  /// Creates a player for a file.
  ///
  /// - Parameter url: The URL of the file.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: −43 if the file is missing, 'prm?' if it
  ///   cannot be opened, 'typ?' if its format is not supported, 'dta?' if it is damaged.
  public convenience init(contentsOf url: URL) throws {
    try self.init(contentsOf: url, fileTypeHint: nil)
  }

  /// Creates a player for a file, with a hint about its type.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - utiString: Not used, because the format is detected from the content.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: −43 if the file is missing, 'prm?' if it
  ///   cannot be opened, 'typ?' if its format is not supported, 'dta?' if it is damaged.
  public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    (owner, core) = Self.makeCore()
    facts = try PlayerSound.open(url, in: core.player)
    meter = PowerMeter(channelCount: facts.channelCount)
    (self.url, data) = (url, nil)
    super.init()
    owner.player = self
  }

  /// Creates a player for a sound in memory.
  ///
  /// - Parameter data: The bytes of a sound file.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: 'typ?' if the format is not supported,
  ///   'dta?' if the data is damaged.
  public convenience init(data: Data) throws {
    try self.init(data: data, fileTypeHint: nil)
  }

  /// Creates a player for a sound in memory, with a hint about its type.
  ///
  /// - Parameters:
  ///   - data: The bytes of a sound file.
  ///   - utiString: Not used, because the format is detected from the content.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: 'typ?' if the format is not supported,
  ///   'dta?' if the data is damaged.
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

  /// The delegate, which is notified when playback has finished.
  open weak var delegate: (any AVAudioPlayerDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  // MARK: Playing

  /// Decodes the first samples and opens the output, so that `play()` starts faster.
  ///
  /// - Returns: True if the output is open; false if it cannot be opened.
  @discardableResult
  open func prepareToPlay() -> Bool { core.prepare() }

  /// Starts playback at the current position, or at the beginning if the sound has finished.
  ///
  /// - Returns: True if the player is playing; false if the output cannot be opened.
  @discardableResult
  open func play() -> Bool { core.play(at: nil) }

  /// Starts playback at a time, exact to the frame.
  ///
  /// Players that are started for the same time play in sync.
  ///
  /// - Parameter time: The start in seconds, relative to the same clock as `deviceCurrentTime`.
  /// - Returns: True if the player was started; false if the output cannot be opened.
  @discardableResult
  open func play(atTime time: TimeInterval) -> Bool { core.play(at: time) }

  /// Pauses playback.
  ///
  /// A later call of `play()` continues from the same position.
  open func pause() { core.pause() }

  /// Stops playback and releases the output.
  ///
  /// The position does not change.
  open func stop() { core.stop() }

  /// True if the player is playing: from `play()` until the end of the sound, `pause()` or
  /// `stop()`.
  open var isPlaying: Bool { core.isPlaying }

  /// True if the player is playing; the Objective-C name of `isPlaying`.
  public var playing: Bool { isPlaying }

  /// The number of times that the sound is repeated after it was played once; 0 by default.
  ///
  /// With a negative number, the sound is repeated until the player is stopped.
  open var numberOfLoops: Int {
    get { core.loops }
    set { core.loops = newValue }
  }

  // MARK: Sound

  /// The volume, as a linear factor; 1 by default.
  ///
  /// The usual range is 0…1; values up to 16 are accepted.
  open var volume: Float {
    get { core.volume }
    set { core.volume = newValue }
  }

  /// Changes the volume linearly over a period of time.
  ///
  /// If the player has not been prepared or started, or was stopped, the volume changes
  /// immediately.
  ///
  /// - Parameters:
  ///   - volume: The new volume, as a linear factor of 0…16.
  ///   - duration: The duration of the change in seconds.
  open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
    core.setVolume(volume, over: duration)
  }

  /// The pan position, −1 (left) to 1 (right); 0 by default.
  open var pan: Float {
    get { core.pan }
    set { core.pan = newValue }
  }

  /// True if `rate` is used; false by default.
  ///
  /// Set this property before you call `prepareToPlay()` or `play()`.
  open var enableRate: Bool {
    get { core.canChangeRate }
    set { core.canChangeRate = newValue }
  }

  /// The playback rate, as a factor of 0.5…2; 1 by default.
  ///
  /// The rate is used only if `enableRate` is true. The pitch does not change.
  open var rate: Float {
    get { core.rate }
    set { core.rate = newValue }
  }

  // MARK: Time

  /// The playback position in seconds; 0 when the sound has finished.
  open var currentTime: TimeInterval {
    get { core.seconds }
    set { core.seconds = facts.frames > 0 ? min(newValue, duration) : newValue }
  }

  /// The length of the sound in seconds.
  open var duration: TimeInterval { facts.seconds }

  /// The time in seconds that the shared output has played; 0 if no player uses the output.
  ///
  /// The time starts at 0 when the first player is prepared or started.
  open var deviceCurrentTime: TimeInterval { PlayerOutput.shared.time }

  /// The number of channels of the sound.
  open var numberOfChannels: Int { facts.channelCount }

  /// The audio format of the sound.
  open var format: AVAudioFormat { AVAudioFormat(facts.description, layout: facts.layout) }

  /// The audio format of the sound, as a dictionary of settings.
  open var settings: [String: Any] { format.settings }

  // MARK: Meters

  /// True if metering is on, so that `updateMeters()` measures levels; false by default.
  open var isMeteringEnabled: Bool {
    get { meter.isEnabled }
    set { meter.isEnabled = newValue }
  }

  /// Updates the peak and average levels of all channels.
  open func updateMeters() { meter.update(core.player.level) }

  /// Returns the peak level of a channel at the last call of `updateMeters()`.
  ///
  /// - Parameter channelNumber: The channel: 0 for left, 1 for right.
  /// - Returns: The level in dBFS, at least −160. Levels above 0 indicate clipping.
  open func peakPower(forChannel channelNumber: Int) -> Float { meter.peak(channelNumber) }

  /// Returns the average level of a channel at the last call of `updateMeters()`.
  ///
  /// - Parameter channelNumber: The channel: 0 for left, 1 for right.
  /// - Returns: The level in dBFS, −160…0.
  open func averagePower(forChannel channelNumber: Int) -> Float { meter.average(channelNumber) }
}
