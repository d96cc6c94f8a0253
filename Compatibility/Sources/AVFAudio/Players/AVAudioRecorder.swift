// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
internal import AudioToolbox
internal import ClipPlayback
internal import Dispatch
public import Foundation

/// Records from the input into a file, which appears when the recording is stopped, when the
/// recorder is freed, or when the process exits.
///
/// On a machine that cannot record, silence is recorded in real time.
///
/// - Note: Any thread.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
  // Unchecked: all variables are used under a lock.

  /// Opens an input with a rate and a number of channels.
  package typealias InputMaker = @Sendable (RecorderInputShape) throws -> any SoundInput

  private let target: RecordingTarget
  private let makeInput: InputMaker
  /// Held, outside of `lock`, while the file and the input are opened.
  private let moves = NSLock()
  private let lock = NSLock()
  private weak var listener: (any AVAudioRecorderDelegate)?
  private var take: RecorderTake?
  /// Counts the recordings, so that the end of an earlier one does not stop the present one.
  private var takeCount = 0
  private var records = false
  private let meter: PowerMeter
  private static let queue = DispatchQueue(label: "recorders")

  /// Checks a file's settings; the file is created later.
  ///
  /// - Parameters:
  ///   - url: The file, whose extension selects the container.
  ///   - settings: The settings, such as `AVFormatIDKey`; missing ones are 44,100 Hz, two channels
  ///     and the usual format of the extension.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: 'fmt?' or 'typ?'.
  public convenience init(url: URL, settings: [String: Any]) throws {
    try self.init(RecordingTarget(url, settings: settings), Self.openInput)
  }

  /// Checks a file's format; the file is created later.
  ///
  /// - Parameters:
  ///   - url: The file, whose extension selects the container.
  ///   - format: The format.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: 'fmt?' or 'typ?'.
  public convenience init(url: URL, format: AVAudioFormat) throws {
    try self.init(RecordingTarget(url, format: format), Self.openInput)
  }

  /// Creates a recorder that records from an input of the caller.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - settings: The settings.
  ///   - makeInput: Opens the input.
  /// - Throws: As the other initializers.
  package convenience init(
    url: URL, settings: [String: Any], input makeInput: @escaping InputMaker
  ) throws {
    try self.init(RecordingTarget(url, settings: settings), makeInput)
  }

  private init(_ target: RecordingTarget, _ makeInput: @escaping InputMaker) throws {
    self.target = target
    self.makeInput = makeInput
    meter = PowerMeter(channelCount: target.channelCount)
    super.init()
  }

  deinit {
    // The last reference may be given up on any thread, which must not wait for the reading thread.
    guard let take else { return }
    Self.queue.async { take.close() }
  }

  private static let openInput: InputMaker = { shape in
    try RecorderInput.open(rate: shape.rate, channelCount: shape.channelCount)
  }

  /// The object that is notified of the end.
  open weak var delegate: (any AVAudioRecorderDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  /// The file.
  open var url: URL { target.url }

  /// The format of the file.
  open var format: AVAudioFormat { AVAudioFormat(target.description, layout: nil) }

  /// The format of the file as settings.
  open var settings: [String: Any] { format.settings }

  // MARK: Recording

  /// Creates the file under a temporary name and opens the input.
  ///
  /// - Returns: False if that is not possible.
  @discardableResult
  open func prepareToRecord() -> Bool { moves.withLock { prepare() } != nil }

  /// Records; after `pause`, continues.
  ///
  /// - Returns: False if the file cannot be created or the input cannot be opened.
  @discardableResult
  open func record() -> Bool { record(nil, nil) }

  /// Records from a time on, to the frame.
  ///
  /// - Parameter time: The time, as `deviceCurrentTime` counts.
  /// - Returns: False if the file cannot be created or the input cannot be opened.
  @discardableResult
  open func record(atTime time: TimeInterval) -> Bool { record(time, nil) }

  /// Records for a duration, and then stops.
  ///
  /// - Parameter duration: The duration in seconds.
  /// - Returns: False if the file cannot be created or the input cannot be opened.
  @discardableResult
  open func record(forDuration duration: TimeInterval) -> Bool { record(nil, duration) }

  /// Records from a time on for a duration, and then stops.
  ///
  /// - Parameters:
  ///   - time: The time, as `deviceCurrentTime` counts.
  ///   - duration: The duration in seconds.
  /// - Returns: False if the file cannot be created or the input cannot be opened.
  @discardableResult
  open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
    record(time, duration)
  }

  /// Stops taking sound; `record` continues the same file.
  open func pause() {
    lock.withLock {
      records = false
      take?.pause()
    }
  }

  /// Stops, and gives the file its name.
  open func stop() {
    if let take = lock.withLock({ removeTake() }) { finish(take) }
  }

  /// Discards a recording in progress, and removes the file.
  ///
  /// - Returns: False if nothing was recorded and the file does not exist.
  @discardableResult
  open func deleteRecording() -> Bool {
    let take = lock.withLock { removeTake() }
    take?.discard()
    do {
      try FileManager.default.removeItem(at: url)
      return true
    } catch {
      return take != nil
    }
  }

  /// True from `record` until `pause`, `stop` or the end of the duration.
  open var isRecording: Bool { lock.withLock { records } }

  /// The Objective-C name of `isRecording`.
  public var recording: Bool { isRecording }

  /// The recorded seconds; 0 before the recording and after it was stopped.
  open var currentTime: TimeInterval { lock.withLock { take?.seconds ?? 0 } }

  /// The seconds since the input was opened; 0 before `prepareToRecord`.
  open var deviceCurrentTime: TimeInterval { lock.withLock { take?.inputSeconds ?? 0 } }

  private func record(_ time: Double?, _ duration: Double?) -> Bool {
    moves.withLock {
      guard let ready = prepare() else { return false }
      return lock.withLock {
        // A stop on another thread has ended it meanwhile.
        guard take === ready else { return false }
        ready.record(at: time, for: duration)
        records = true
        return true
      }
    }
  }

  /// Opens the file and the input, to be called under `moves` only: a device may take long.
  private func prepare() -> RecorderTake? {
    let (known, number) = lock.withLock {
      if take == nil { takeCount += 1 }
      return (take, takeCount)
    }
    if let known { return known }
    do {
      let input = try makeInput(
        RecorderInputShape(rate: target.rate, channelCount: target.channelCount))
      let made = try RecorderTake(target, input: input) { [weak self] in
        Self.queue.async { [weak self] in self?.stop(take: number) }
      }
      lock.withLock { take = made }
      return made
    } catch {
      return nil
    }
  }

  private func stop(take number: Int) {
    // A take that ends at once is stored before it is stopped.
    let take = moves.withLock {
      lock.withLock { takeCount == number ? removeTake() : nil }
    }
    if let take { finish(take) }
  }

  private func removeTake() -> RecorderTake? {
    defer { take = nil }
    records = false
    meter.clear()
    return take
  }

  private func finish(_ take: RecorderTake) {
    var failure: (any Error)?
    do {
      try take.finish()
    } catch {
      failure = error
    }
    let isWhole = failure == nil && !take.inputFailed
    let error = failure.map(PlayerSound.nsError)
    CallbackLoop.perform(orOn: Self.queue) { [self] in
      let delegate = self.delegate
      if let error { delegate?.audioRecorderEncodeErrorDidOccur(self, error: error) }
      delegate?.audioRecorderDidFinishRecording(self, successfully: isWhole)
    }
  }

  // MARK: Meters

  /// True if `updateMeters` measures; false by default.
  open var isMeteringEnabled: Bool {
    get { meter.isEnabled }
    set { meter.isEnabled = newValue }
  }

  /// Reads the meters.
  open func updateMeters() {
    let levels = lock.withLock { take }?.recorder.level
    meter.update(levels.map { ($0.left, $0.right) })
  }

  /// The peak level at the last `updateMeters`.
  ///
  /// - Parameter channelNumber: 0 for left, 1 for right.
  /// - Returns: The level in dB of full scale, −160…0.
  open func peakPower(forChannel channelNumber: Int) -> Float { meter.peak(channelNumber) }

  /// The average level at the last `updateMeters`.
  ///
  /// - Parameter channelNumber: 0 for left, 1 for right.
  /// - Returns: The level in dB of full scale, −160…0.
  open func averagePower(forChannel channelNumber: Int) -> Float { meter.average(channelNumber) }
}
