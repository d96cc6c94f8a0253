// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation

/// Plays notes of a second each, two at a time, and stops while two sound.
enum Player {
  static func run(on name: String) {
    let target = Directory.wait(for: name) { Directory.destinations }
    var sequence: MusicSequence?
    var track: MusicTrack?
    var player: MusicPlayer?
    CoreMIDIProbe.check(NewMusicSequence(&sequence), "sequence")
    CoreMIDIProbe.check(MusicSequenceNewTrack(sequence, &track), "track")
    for beat in 0..<8 {
      var note = MIDINoteMessage(
        channel: 6, note: UInt8(60 + beat), velocity: 80, releaseVelocity: 0, duration: 3)
      MusicTrackNewMIDINoteEvent(track, Double(beat), &note)
    }
    CoreMIDIProbe.check(MusicTrackSetDestMIDIEndpoint(track, target), "destination")
    CoreMIDIProbe.check(NewMusicPlayer(&player), "player")
    CoreMIDIProbe.check(MusicPlayerSetSequence(player, sequence), "set")
    CoreMIDIProbe.check(MusicPlayerPreroll(player), "preroll")
    CoreMIDIProbe.check(MusicPlayerStart(player), "start")
    CoreMIDIProbe.sleep(1.2)
    CoreMIDIProbe.check(MusicPlayerStop(player), "stop")
    CoreMIDIProbe.sleep(0.3)
    var beat = 0.0
    MusicPlayerGetTime(player, &beat)
    CoreMIDIProbe.say("stopped | \(beat > 2 && beat < 4)")
    DisposeMusicPlayer(player)
    DisposeMusicSequence(sequence)
  }
}
