// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Dispatch
public import Foundation

/// A block that is called when a MIDI player ends.
public typealias AVMIDIPlayerCompletionHandler = @Sendable () -> Void

/// Plays a MIDI file with the sounds of a soundfont or DLS file.
///
/// Without a device it plays on the null output, in real time.
///
/// - Note: Any thread.
open class AVMIDIPlayer: NSObject, @unchecked Sendable {
  // Unchecked: all variables are used under a lock; the transport is sendable.

  private let transport: SequenceTransport
  private let lock = NSLock()
  private var timer: (any DispatchSourceTimer)?
  private var completion: AVMIDIPlayerCompletionHandler?
  private static let queue = DispatchQueue(label: "MIDI players")

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - inURL: A MIDI file.
  ///   - bankURL: A soundfont or DLS file; nil for the soundfont that `downbeat` finds.
  /// - Throws: An `NSError` if a file cannot be read.
  public init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws {
    transport = try SequenceTransport()
    super.init()
    try transport.load(inURL)
    if let bankURL { try transport.setSoundBank(bankURL) }
  }

  /// Opens a file in memory.
  ///
  /// - Parameters:
  ///   - data: The bytes of a MIDI file.
  ///   - bankURL: A soundfont or DLS file; nil for the soundfont that `downbeat` finds.
  /// - Throws: An `NSError` if the bytes or the file cannot be read.
  public init(data: Data, soundBankURL bankURL: URL?) throws {
    transport = try SequenceTransport()
    super.init()
    try transport.load(data)
    if let bankURL { try transport.setSoundBank(bankURL) }
  }

  deinit {
    timer?.cancel()
  }

  /// Reads the sounds, so that `play` takes less time.
  open func prepareToPlay() { transport.prepare() }

  /// Plays from the present position.
  ///
  /// - Parameter completionHandler: Called once, on a queue, at the end and at `stop`.
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

  /// Plays from the present position until the end or `stop`.
  open func play() async {
    await withCheckedContinuation { continuation in
      play { continuation.resume() }
    }
  }

  /// Stops; `play` continues at this position.
  open func stop() { call(lock.withLock { end(rewinding: false) }) }

  /// The length in seconds.
  open var duration: TimeInterval { transport.seconds(forBeats: transport.lengthInBeats) }

  /// True from `play` until the end or `stop`.
  open var isPlaying: Bool { transport.isPlaying }

  /// The rate as a factor, above 0 and up to 32; other values change nothing; 1 by default.
  open var rate: Float {
    get { Float(transport.rate) }
    set { transport.rate = Double(newValue) }
  }

  /// The position in seconds; 0 after the end.
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
