// SPDX-License-Identifier: Apache-2.0
// A song of a MIDI file, played by a sampler of an engine through an equaliser and a reverb, as a
// program for macOS and iOS plays it.
import AVFoundation

final class SongPlayer {
  private let engine = AVAudioEngine()
  private let sampler = AVAudioUnitSampler()
  private let equalizer = AVAudioUnitEQ(numberOfBands: 2)
  private let reverb = AVAudioUnitReverb()
  private let sequencer: AVAudioSequencer
  private let lock = NSLock()
  private var peak: Float = 0

  init() {
    engine.attach(sampler)
    engine.attach(equalizer)
    engine.attach(reverb)
    engine.connect(sampler, to: equalizer, format: nil)
    engine.connect(equalizer, to: reverb, format: nil)
    engine.connect(reverb, to: engine.mainMixerNode, format: nil)
    sequencer = AVAudioSequencer(audioEngine: engine)
    let (bass, treble) = (equalizer.bands[0], equalizer.bands[1])
    bass.filterType = .lowShelf
    bass.frequency = 120
    bass.gain = 3
    bass.bypass = false
    treble.filterType = .highShelf
    treble.frequency = 6000
    treble.gain = -2
    treble.bypass = false
    reverb.loadFactoryPreset(.mediumHall)
    reverb.wetDryMix = 20
    engine.mainMixerNode.outputVolume = 0.8
  }

  func load(_ song: URL, _ soundBank: URL) throws {
    try sampler.loadSoundBankInstrument(
      at: soundBank, program: 0, bankMSB: UInt8(kAUSampler_DefaultMelodicBankMSB),
      bankLSB: UInt8(kAUSampler_DefaultBankLSB))
    sampler.overallGain = -3
    try sequencer.load(from: song, options: .smf_ChannelsToTracks)
    sequencer.prepareToPlay()
  }

  /// Plays to the end; returns the highest sample.
  func play() throws -> Float {
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1024, format: nil) { buffer, _ in
      guard let channel = buffer.floatChannelData?[0] else { return }
      let highest = (0..<Int(buffer.frameLength)).reduce(Float(0)) { max($0, abs(channel[$1])) }
      self.lock.lock()
      self.peak = max(self.peak, highest)
      self.lock.unlock()
    }
    try engine.start()
    try sequencer.start()
    print("playing", sequencer.isPlaying, engine.isRunning)
    let length = sequencer.tracks.map(\.lengthInSeconds).max() ?? 0
    let limit = Date(timeIntervalSinceNow: 60)
    while sequencer.currentPositionInSeconds < length, Date() < limit {
      Thread.sleep(forTimeInterval: 0.02)
    }
    sequencer.stop()
    Thread.sleep(forTimeInterval: 0.2)
    engine.mainMixerNode.removeTap(onBus: 0)
    engine.stop()
    lock.lock()
    defer { lock.unlock() }
    return peak
  }
}

let arguments = CommandLine.arguments
let player = SongPlayer()
do {
  try player.load(URL(fileURLWithPath: arguments[1]), URL(fileURLWithPath: arguments[2]))
  let peak = try player.play()
  print("audible", peak > 0.001 && peak < 4)
} catch {
  print("failed", error.localizedDescription)
}
do {
  try player.load(
    URL(fileURLWithPath: arguments[1]), URL(fileURLWithPath: "/none/missing.sf2"))
} catch let error as NSError {
  print("missing", error.code)
}
