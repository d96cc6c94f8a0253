// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CRubberBand
internal import MusicalTime

/// The owner of one Rubber Band stretcher, which works in real time on one thread.
@safe
struct StretcherHandle: ~Copyable {
  private let table: UnsafePointer<CRubberBandTable>
  private let state: RubberBandState
  /// Silence that was fed before the first frame, and what the stretcher delays it by: how late a
  /// frame comes out at speed 1.
  let latency: Int

  /// Starts a stretcher and feeds it silence until it gives a quantum: `rubberband_new`.
  init(
    channelCount: Int, rate: SampleRate, keepsFormants: Bool
  ) throws(TimePitchError) {
    guard let table = unsafe crubberband_table() else {
      throw unsafe .libraryMissing(reason: String(cString: crubberband_missing()))
    }
    // The engine of version 3: that of version 2 turns a steady tone into a rough one.
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

  /// Feeds silence until a quantum can be had; returns the frames fed.
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

  /// Sets how fast it plays, and how much higher it sounds: `rubberband_set_time_ratio`,
  /// `rubberband_set_pitch_scale`.
  ///
  /// Acceptable on the render thread: in real-time mode both are for the thread that processes.
  @_noAllocation @_noLocks
  func set(speed: Float, cents: Float) {
    unsafe crubberband_set(table, state, Double(speed), Double(cents))
  }

  /// Feeds a quantum: `rubberband_process`.
  ///
  /// Acceptable on the render thread: it takes no lock there; the library's buffers grow only where
  /// a ratio asks for more than any before.
  @_noAllocation @_noLocks
  func process(_ input: UnsafePointer<UnsafePointer<Float>?>) {
    unsafe crubberband_process(table, state, input, UInt32(truncatingIfNeeded: AudioFormat.quantum))
  }

  /// The frames that can be had: `rubberband_available`.
  var available: Int {
    @_noAllocation @_noLocks
    get { unsafe Int(crubberband_available(table, state)) }
  }

  /// Takes a quantum: `rubberband_retrieve`.
  @_noAllocation @_noLocks
  func retrieve(_ output: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    _ = unsafe crubberband_retrieve(
      table, state, output, UInt32(truncatingIfNeeded: AudioFormat.quantum))
  }
}
