// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
internal import AudioToolbox
internal import ClipPlayback
internal import Dispatch
public import Foundation

/// A recorder that writes audio from the input device to a file.
///
/// The file appears under its name when the recording is stopped, when the recorder is released, or
/// when the process exits. If the machine cannot record, silence is recorded in real time.
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

  /// Creates a recorder from settings.
  ///
  /// The settings are checked now; the file is created when you prepare or start recording.
  ///
  /// - Parameters:
  ///   - url: The URL of the file. Its extension selects the file type, unless the settings contain
  ///     `AVAudioFileTypeKey`.
  ///   - settings: The settings, by keys such as `AVFormatIDKey`. The defaults are 44,100 Hz, two
  ///     channels and the usual format of the file type.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: 'fmt?' if the format is not supported,
  ///   'typ?' if the file type is not supported.
  public convenience init(url: URL, settings: [String: Any]) throws {
    try self.init(RecordingTarget(url, settings: settings), Self.openInput)
  }

  /// Creates a recorder from a format.
  ///
  /// The format is checked now; the file is created when you prepare or start recording.
  ///
  /// - Parameters:
  ///   - url: The URL of the file. Its extension selects the file type.
  ///   - format: The audio format of the file.
  /// - Throws: An `NSError` in `NSOSStatusErrorDomain`: 'fmt?' if the format is not supported,
  ///   'typ?' if the file type is not supported.
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

  /// The delegate, which is notified when recording has finished.
  open weak var delegate: (any AVAudioRecorderDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }

  /// The URL of the file.
  open var url: URL { target.url }

  /// The audio format of the file.
  open var format: AVAudioFormat { AVAudioFormat(target.description, layout: nil) }

  /// The audio format of the file, as a dictionary of settings.
  open var settings: [String: Any] { format.settings }

  // MARK: Recording

  /// Creates the file under a temporary name and opens the input, so that `record()` starts faster.
  ///
  /// - Returns: True if the recorder is ready; false if the file cannot be created or the input
  ///   cannot be opened.
  @discardableResult
  open func prepareToRecord() -> Bool { moves.withLock { prepare() } != nil }

  /// Starts recording, or resumes it after `pause()`.
  ///
  /// - Returns: True if recording was started; false if the file cannot be created or the input
  ///   cannot be opened.
  @discardableResult
  open func record() -> Bool { record(nil, nil) }

  /// Starts recording at a time, exact to the frame.
  ///
  /// - Parameter time: The start in seconds, relative to the same clock as `deviceCurrentTime`.
  /// - Returns: True if recording was started; false if the file cannot be created or the input
  ///   cannot be opened.
  @discardableResult
  open func record(atTime time: TimeInterval) -> Bool { record(time, nil) }

  /// Records for a duration and then stops.
  ///
  /// - Parameter duration: The duration in seconds.
  /// - Returns: True if recording was started; false if the file cannot be created or the input
  ///   cannot be opened.
  @discardableResult
  open func record(forDuration duration: TimeInterval) -> Bool { record(nil, duration) }

  /// Starts recording at a time and stops after a duration.
  ///
  /// - Parameters:
  ///   - time: The start in seconds, relative to the same clock as `deviceCurrentTime`.
  ///   - duration: The duration in seconds.
  /// - Returns: True if recording was started; false if the file cannot be created or the input
  ///   cannot be opened.
  @discardableResult
  open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
    record(time, duration)
  }

  /// Pauses recording.
  ///
  /// A later call of `record()` continues in the same file.
  open func pause() {
    lock.withLock {
      records = false
      take?.pause()
    }
  }

  /// Stops recording and completes the file, which then appears under its name.
  open func stop() {
    if let take = lock.withLock({ removeTake() }) { finish(take) }
  }

  /// Deletes the recorded file.
  ///
  /// A recording in progress is stopped and discarded.
  ///
  /// - Returns: True if a recording was discarded or the file was deleted; false if there was
  ///   nothing to delete.
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

  /// True if the recorder is recording: from `record()` until `pause()`, `stop()` or the end of the
  /// duration.
  open var isRecording: Bool { lock.withLock { records } }

  /// True if the recorder is recording; the Objective-C name of `isRecording`.
  public var recording: Bool { isRecording }

  /// The duration of the current recording in seconds; 0 before it is started and after it is
  /// stopped.
  open var currentTime: TimeInterval { lock.withLock { take?.seconds ?? 0 } }

  /// The time in seconds since the input was opened; 0 if the input is not open.
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

  /// True if metering is on, so that `updateMeters()` measures levels; false by default.
  open var isMeteringEnabled: Bool {
    get { meter.isEnabled }
    set { meter.isEnabled = newValue }
  }

  /// Updates the peak and average levels of all channels.
  open func updateMeters() {
    let levels = lock.withLock { take }?.recorder.level
    meter.update(levels.map { ($0.left, $0.right) })
  }

  /// Returns the peak level of a channel at the last call of `updateMeters()`.
  ///
  /// - Parameter channelNumber: The channel: 0 for left, 1 for right.
  /// - Returns: The level in dBFS, −160…0.
  open func peakPower(forChannel channelNumber: Int) -> Float { meter.peak(channelNumber) }

  /// Returns the average level of a channel at the last call of `updateMeters()`.
  ///
  /// - Parameter channelNumber: The channel: 0 for left, 1 for right.
  /// - Returns: The level in dBFS, −160…0.
  open func averagePower(forChannel channelNumber: Int) -> Float { meter.average(channelNumber) }
}
