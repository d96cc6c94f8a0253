// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Runs `play --port` in the machine: each section leaves files in `$VM_OUT`.
enum PlayPortScript {
  private static let tools = """
    FONT=$PWD/Soundfonts/Downbeat.sf2
    cd "$VM_OUT"
    status() { echo "$1 $2" >> status.txt; }
    has() { aconnect -l | grep -q "$1"; }
    counts() { [ "$(grep -c "$2" "$1")" -ge "$3" ]; }
    # True if all delivered events have been read.
    isRead() { ! grep -q 'Cells in use *: *[1-9]' /proc/asound/seq/clients; }
    settle() { await isRead; sleep 0.3; }
    record() { arecordmidi -p 14:0 -t 960 "$1" & witness=$!; await has 'Connecting To'; }
    monitor() { $DOWNBEAT monitor --json --for 60s "$@" > $name.json & witness=$!; await has 'downbeat monitor'; }
    dump() { aseqdump > "$1" & witness=$!; await has aseqdump; }
    finish() { settle; kill -INT $witness; wait $witness; }
    play() { $DOWNBEAT play "$@" 2>> $name.err; status $name $?; }
    # If a busy host stalls the whole machine, a song skips the missed part and reports it.
    steady() { for name; do for try in 1 2 3 4 5; do
      rm -f $name.err; $name; grep -q 'playback stalled' $name.err || break
    done; done; }

    """

  /// All commands of the script.
  static var all: String { arrival + choice + comings + kinds }

  /// Songs of any size that must arrive complete.
  static let arrival =
    tools + """
      # A song of real life, faster than it was written, and one of every kind of event.
      song() { record song.mid; play "$INPUTS/song.mid" -p 14:0 --speed 8; finish; }
      all() { record all.mid; play "$INPUTS/all.mid" -p 'Midi Through'; finish; }
      # More than the kernel's pool at one instant; 641 tracks; a SysEx longer than a pool.
      crowd() {
        "$CAPTURE" \(PlayedSongs.crowdCount) 20 > crowd.txt & witness=$!
        await has "'capture'"; play "$INPUTS/crowd.mid" -p capture; settle; kill $witness; wait $witness
      }
      tracks() { record tracks.mid; play "$INPUTS/tracks.mid" -p 14; finish; }
      sysex() { monitor -p 14 --count 2; play "$INPUTS/sysex.mid" -p 14; wait $witness; }
      # A song that ends with a long SysEx, long before that has left.
      dumps() {
        monitor -p 14 --count 4
        $DOWNBEAT play --json "$INPUTS/dumps.mid" -p 14 > dumps.report 2> dumps.err; status dumps $?
        wait $witness
      }
      # Ten thousand events a second.
      flood() {
        "$CAPTURE" \(PlayedSongs.floodCount) 20 all > flood.txt & witness=$!
        await has "'capture'"; play "$INPUTS/flood.mid" -p capture; wait $witness
      }
      packets() { dump packets.txt; play "$INPUTS/packets.mid" -p aseqdump; finish; }
      steady song all crowd tracks sysex dumps flood packets
      # Ended between the first packet and the second.
      for signal in TERM KILL; do
        dump $signal.txt
        $DOWNBEAT play "$INPUTS/slow.mid" -p aseqdump 2> /dev/null & player=$!
        await counts $signal.txt 'System exclusive' 1
        kill -$signal $player; wait $player
        await counts $signal.txt 'System exclusive' 2; finish
      done
      """

  /// Selections, playback options and destinations.
  static let choice =
    tools + """
      # Selections and playback options; one file after the other.
      part() {
        record part.mid
        play "$INPUTS/scale.mid" --port through --from 1s --to 3s --transpose -12 --speed 400%
        play "$INPUTS/scale.mid" -p through --ab 0s,0.5s --loop=3 --ramp 100% --count-in 1 --only 1
        play "$INPUTS/scale.mid" "$INPUTS/two.mid" -p 14 --mute 1 --speed 8
        finish
      }
      # Two ports: each has the tracks that ask for it, and the second is later.
      two() {
        monitor -p 14 --count 5
        play "$INPUTS/two.mid" -p 14,'downbeat monitor' --reset gm --offset 0 --offset 300
        settle; kill $witness; wait $witness
      }
      # A port that is earlier, and channels left out.
      early() {
        dump early.txt
        play "$INPUTS/two.mid" -p 14:0 -p aseqdump --reset gm --offset 0 --offset -15 --mute 2,10
        finish
      }
      # The loop that a song asks for, without its drums.
      loops() {
        record loops.mid
        play "$INPUTS/loop.mid" -p 14 --in-file-loops --loop=2 --no-drums --speed 400%
        finish
      }
      # Through the synthesiser and to a port at once.
      both() {
        record both.mid
        arecord -q -D hw:Loopback,1,0 -f S16_LE -r 8000 -c 2 -B 8000000 both.wav & ear=$!
        await grep -q RUNNING /proc/asound/Loopback/pcm1c/sub0/status
        play "$INPUTS/scale.mid" -p 14 --synth --to 2s --audio hw:Loopback,0,0 --rate 8000 \
          --soundfont "$FONT" --no-reverb --no-chorus --polyphony 16
        kill -INT $ear; wait $ear; finish
      }
      steady part two early loops both

      # Errors are reported in a sentence, each with its status.
      $DOWNBEAT play "$INPUTS/two.mid" -p nobody 2> unknown.txt; status unknown $?
      $DOWNBEAT play "$INPUTS/two.mid" -p virmidi 2> ambiguous.txt; status ambiguous $?
      $DOWNBEAT play "$INPUTS/two.mid" -p 14 --from 9999 2> from.txt; status from $?

      # The kernel keeps a module while a song plays to its port; afterwards it may go.
      aseqdump -p 14:0 > kept.txt & witness=$!
      await has 'Connecting To'
      $DOWNBEAT play "$INPUTS/scale.mid" -p 14 & player=$!
      await grep -q 'note 41' kept.txt
      /sbin/rmmod snd_seq_dummy; status rmmod $?
      wait $player; status kept $?; settle; kill $witness; wait $witness
      /sbin/rmmod snd_seq_dummy; status gone $?
      $DOWNBEAT play "$INPUTS/scale.mid" -p 'Midi Through' 2> module.txt; status module $?
      """

  /// Ports and receivers that appear and disappear.
  static let comings =
    tools + """
      # A receiver that disappears and returns under another number.
      dump before.txt
      $DOWNBEAT play --json "$INPUTS/long.mid" -p aseqdump > away.json 2> away.err & player=$!
      await counts before.txt 'Note on' 4; kill $witness; wait $witness
      await grep -q disconnected away.err
      $DOWNBEAT monitor > /dev/null & between=$!
      await has 'downbeat monitor'; dump after.txt
      await counts after.txt 'Note on' 3
      kill $between; kill -TERM $player; wait $player; status away $?; finish

      # Waiting for a port, and for a listener.
      waited() {
        play "$INPUTS/two.mid" -p aseqdump --wait & player=$!
        await grep -q 'downbeat play' /proc/asound/seq/clients; dump waited.txt
        wait $player; finish
      }
      virtual() {
        play "$INPUTS/two.mid" --virtual organ --wait & player=$!
        await has organ; aseqdump -p organ > virtual.txt & witness=$!
        wait $player; finish
      }
      steady waited virtual
      """

  /// The songs of the table, one after another to one monitor.
  static let kinds =
    tools + """
      kinds() {
        $DOWNBEAT monitor --json -p 14 > kinds.json & witness=$!; await has 'downbeat monitor'
        \(kindPlays.joined(separator: "; "))
        settle; kill $witness; wait $witness
      }
      steady kinds
      """

  /// The songs of each list that is played, by index: those that are played in the same way.
  ///
  /// Songs that start at a tick are played alone: after another song only differing state is sent.
  static let kindLists: [[Int]] = Dictionary(grouping: SongKind.all.indices) { index in
    let way = SongKind.all[index].way
    return if case .from = way { "\(index)" } else { way.flags }
  }.values.sorted { $0[0] < $1[0] }

  private static var kindPlays: [String] {
    kindLists.map { list in
      let files = list.map { "\"$INPUTS/kind\($0).mid\"" }.joined(separator: " ")
      return "play \(files) -p 14 --speed 8 \(SongKind.all[list[0]].way.flags)"
    }
  }
}
