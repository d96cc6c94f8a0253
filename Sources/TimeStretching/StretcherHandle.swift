// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CRubberBand
internal import MusicalTime

/// Owner of one Rubber Band stretcher in real-time mode, used by one thread.
@safe
struct StretcherHandle: ~Copyable {
  private let table: UnsafePointer<CRubberBandTable>
  private let state: RubberBandState
  /// Delay of a frame at speed 1, in frames: the silence fed before the first frame, less the
  /// required start padding, plus the stretcher's start delay.
  let latency: Int

  /// Creates a stretcher (`rubberband_new`) and feeds it silence until a quantum of output is
  /// available.
  init(
    channelCount: Int, rate: SampleRate, keepsFormants: Bool
  ) throws(TimePitchError) {
    guard let table = unsafe crubberband_table() else {
      throw unsafe .libraryMissing(reason: String(cString: crubberband_missing()))
    }
    // Version 3's "finer" engine: version 2's makes a steady tone rough.
    var options = RubberBandOptionProcessRealTime | RubberBandOptionEngineFiner
    options |= RubberBandOptionThreadingNever | RubberBandOptionPitchHighConsistency
    options |= RubberBandOptionChannelsTogether
    if keepsFormants { options |= RubberBandOptionFormantPreserved }
    guard (1...32).contains(channelCount), (8000...192_000).contains(rate.hertz),
      let state = unsafe table.pointee.new(
        UInt32(rate.hertz), UInt32(channelCount), options, 1, 1)
    else { throw .refused(hertz: Int(rate.hertz), channelCount: channelCount) }
    unsafe table.pointee.set_max_process_size(state, UInt32(AudioFormat.quantum))
    let pad = unsafe Int(table.pointee.get_preferred_start_pad(state))
    let delay = unsafe Int(table.pointee.get_start_delay(state))
    let fed = unsafe Self.prime(table, state, channelCount, atLeast: pad)
    latency = fed - pad + delay
    unsafe self.table = table
    unsafe self.state = state
  }

  deinit {
    unsafe table.pointee.delete(state)
  }

  /// Feeds silence until a quantum of output is available, and returns the number of frames fed.
  private static func prime(
    _ table: UnsafePointer<CRubberBandTable>, _ state: RubberBandState, _ channelCount: Int,
    atLeast pad: Int
  ) -> Int {
    let silence = AudioBuffer(channelCount: channelCount)
    let pointers: [UnsafePointer<Float>?] = unsafe (0..<channelCount).map {
      unsafe UnsafePointer(silence.bus.channel($0))
    }
    var fed = 0
    let quantum = AudioFormat.quantum
    while fed < 1 << 20 {
      let isReady = unsafe table.pointee.available(state) >= Int32(quantum)
      if fed >= pad, isReady { break }
      unsafe table.pointee.process(state, pointers, UInt32(quantum), 0)
      fed += quantum
    }
    return fed
  }

  /// Sets the speed (`rubberband_set_time_ratio`) and the pitch offset in cents
  /// (`rubberband_set_pitch_scale`).
  ///
  /// Suitable for the render thread: in real-time mode, the processing thread must make both calls.
  @_noAllocation @_noLocks
  func set(speed: Float, cents: Float) {
    unsafe crubberband_set(table, state, Double(speed), Double(cents))
  }

  /// Feeds one quantum (`rubberband_process`).
  ///
  /// Suitable for the render thread: the call does not lock, and the library's buffers grow only
  /// for a ratio that needs more space than any ratio before.
  @_noAllocation @_noLocks
  func process(_ input: UnsafePointer<UnsafePointer<Float>?>) {
    unsafe crubberband_process(table, state, input, UInt32(truncatingIfNeeded: AudioFormat.quantum))
  }

  /// The number of output frames available (`rubberband_available`).
  var available: Int {
    @_noAllocation @_noLocks
    get { unsafe Int(crubberband_available(table, state)) }
  }

  /// Reads one quantum of output (`rubberband_retrieve`).
  @_noAllocation @_noLocks
  func retrieve(_ output: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    _ = unsafe crubberband_retrieve(
      table, state, output, UInt32(truncatingIfNeeded: AudioFormat.quantum))
  }
}
