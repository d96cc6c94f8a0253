// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Dispatch
public import Foundation

/// A block that is called when a MIDI player stops.
public typealias AVMIDIPlayerCompletionHandler = @Sendable () -> Void

/// A player for MIDI files, which uses the sounds of a soundfont or DLS file.
///
/// If no sound device is available, the file is played in real time on the null output.
///
/// - Note: Any thread.
open class AVMIDIPlayer: NSObject, @unchecked Sendable {
  // Unchecked: all variables are used under a lock; the transport is sendable.

  private let transport: SequenceTransport
  private let lock = NSLock()
  private var timer: (any DispatchSourceTimer)?
  private var completion: AVMIDIPlayerCompletionHandler?
  private static let queue = DispatchQueue(label: "MIDI players")

  /// Creates a player for a MIDI file.
  ///
  /// - Parameters:
  ///   - inURL: The MIDI file.
  ///   - bankURL: A soundfont or DLS file; nil for the soundfont that the `downbeat` command would
  ///     choose.
  /// - Throws: An `NSError` if a file cannot be read.
  public init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws {
    transport = try SequenceTransport()
    super.init()
    try transport.load(inURL)
    if let bankURL { try transport.setSoundBank(bankURL) }
  }

  /// Creates a player for a MIDI file in memory.
  ///
  /// - Parameters:
  ///   - data: The bytes of the MIDI file.
  ///   - bankURL: A soundfont or DLS file; nil for the soundfont that the `downbeat` command would
  ///     choose.
  /// - Throws: An `NSError` if the bytes are not a valid MIDI file, or if the soundfont cannot be
  ///   read.
  public init(data: Data, soundBankURL bankURL: URL?) throws {
    transport = try SequenceTransport()
    super.init()
    try transport.load(data)
    if let bankURL { try transport.setSoundBank(bankURL) }
  }

  deinit {
    timer?.cancel()
  }

  /// Loads the sounds in advance, so that `play` takes less time.
  open func prepareToPlay() { transport.prepare() }

  /// Starts playback at the current position.
  ///
  /// - Parameter completionHandler: Called once, on the main run loop or a queue, when playback
  ///   stops: at the end, after `stop()` or another call of `play`, or if playback cannot start.
  ///   May be nil.
  open func play(_ completionHandler: AVMIDIPlayerCompletionHandler? = nil) {
    let (old, isStarted) = lock.withLock {
      defer { completion = completionHandler }
      watch()
      do {
        try transport.start()
        return (completion, true)
      } catch {
        return (completion, false)
      }
    }
    call(old)
    if !isStarted { stop() }
  }

  /// Plays from the current position and returns when the end is reached or the player is stopped.
  open func play() async {
    await withCheckedContinuation { continuation in
      play { continuation.resume() }
    }
  }

  /// Stops playback.
  ///
  /// A later call of `play` continues from the same position.
  open func stop() { call(lock.withLock { end(rewinding: false) }) }

  /// The length of the MIDI file in seconds, at a rate of 1.
  open var duration: TimeInterval { transport.seconds(forBeats: transport.lengthInBeats) }

  /// True from `play` until the end is reached or the player is stopped.
  open var isPlaying: Bool { transport.isPlaying }

  /// The playback rate, as a factor above 0 and up to 32; 1 by default.
  ///
  /// Other values are ignored.
  open var rate: Float {
    get { Float(transport.rate) }
    set { transport.rate = Double(newValue) }
  }

  /// The playback position in seconds; it returns to 0 when the end is reached.
  open var currentPosition: TimeInterval {
    get { transport.seconds(forBeats: transport.position) }
    set { transport.position = transport.beats(forSeconds: max(0, newValue)) }
  }

  /// Looks for the end 50 times a second; to be called under the lock.
  private func watch() {
    guard timer == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: Self.queue)
    timer.schedule(deadline: .now() + .milliseconds(20), repeating: .milliseconds(20))
    timer.setEventHandler { [weak self] in self?.look() }
    timer.activate()
    self.timer = timer
  }

  private func look() {
    let completion = lock.withLock { () -> AVMIDIPlayerCompletionHandler? in
      guard timer != nil, transport.isPlaying, transport.position >= transport.lengthInBeats else {
        return nil
      }
      return end(rewinding: true)
    }
    call(completion)
  }

  /// Stops; to be called under the lock, so that a `play` is before or after all of it.
  private func end(rewinding: Bool) -> AVMIDIPlayerCompletionHandler? {
    timer?.cancel()
    timer = nil
    transport.stop()
    if rewinding { transport.position = 0 }
    defer { completion = nil }
    return completion
  }

  private func call(_ completion: AVMIDIPlayerCompletionHandler?) {
    guard let completion else { return }
    CallbackLoop.perform(orOn: Self.queue, completion)
  }
}
