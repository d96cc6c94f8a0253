// SPDX-License-Identifier: Apache-2.0
// A recorder, a player, a MIDI player and a sequencer, as a program for macOS and iOS uses them.
import AVFoundation

final class Controller: NSObject, AVAudioPlayerDelegate, AVAudioRecorderDelegate {
  var player: AVAudioPlayer?
  var recorder: AVAudioRecorder?
  var ended = false

  func record(to url: URL) throws {
    let settings: [String: Any] = [
      AVFormatIDKey: Int(kAudioFormatLinearPCM),
      AVSampleRateKey: 44100.0,
      AVNumberOfChannelsKey: 1 as NSNumber,
      AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
    ]
    recorder = try AVAudioRecorder(url: url, settings: settings)
    recorder?.delegate = self
    recorder?.isMeteringEnabled = true
    recorder?.prepareToRecord()
    recorder?.record(forDuration: 0.2)
  }

  func play(_ url: URL) throws {
    player = try AVAudioPlayer(contentsOf: url)
    guard let player = player else { return }
    player.delegate = self
    player.volume = 0.5
    player.numberOfLoops = 1
    player.prepareToPlay()
    player.play()
  }

  func wait() {
    ended = false
    let limit = Date(timeIntervalSinceNow: 60)
    while !ended, Date() < limit {
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
    }
  }

  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
    print("recorded", flag)
    ended = true
  }

  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    print("played", flag, player.isPlaying)
    ended = true
  }
}

let session = AVAudioSession.sharedInstance()
do {
  try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker])
  try session.setActive(true)
} catch let error as NSError {
  print("session", error.localizedDescription)
}
let observer = NotificationCenter.default.addObserver(
  forName: AVAudioSession.interruptionNotification, object: session, queue: .main
) { notification in
  guard let value = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
    let type = AVAudioSession.InterruptionType(rawValue: value)
  else { return }
  switch type {
  case .began: print("interrupted")
  case .ended: print("resumed")
  @unknown default: break
  }
}
print("category", session.category == .playAndRecord, session.sampleRate > 0)

let file = FileManager.default.temporaryDirectory
  .appendingPathComponent(UUID().uuidString).appendingPathExtension("caf")
let controller = Controller()
try controller.record(to: file)
controller.wait()
try controller.play(file)
print("duration", abs((controller.player?.duration ?? 0) - 0.2) < 0.001)
controller.wait()

let sequencer = AVAudioSequencer()
let track = sequencer.createAndAppendTrack()
for beat in 0..<4 {
  track.addEvent(
    AVMIDINoteEvent(channel: 0, key: UInt32(60 + beat), velocity: 80, duration: 0.5),
    at: AVMusicTimeStamp(beat))
}
track.loopRange = AVMakeBeatRange(0, 2)
track.isLoopingEnabled = true
track.numberOfLoops = AVMusicTrackLoopCount.forever.rawValue
var error: NSError?
let data = sequencer.data(withSMPTEResolution: 480, error: &error)
print("data", data.count > 20, error == nil)
sequencer.rate = 2
sequencer.prepareToPlay()
try sequencer.start()
print("playing", sequencer.isPlaying)
sequencer.stop()
sequencer.currentPositionInBeats = 0

let midi = try AVMIDIPlayer(data: data, soundBankURL: nil)
midi.rate = 8
midi.prepareToPlay()
controller.ended = false
midi.play {
  DispatchQueue.main.async {
    print("midi", midi.isPlaying)
    controller.ended = true
  }
}
controller.wait()
NotificationCenter.default.removeObserver(observer)
try FileManager.default.removeItem(at: file)
