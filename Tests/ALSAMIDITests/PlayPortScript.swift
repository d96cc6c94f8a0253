// SPDX-License-Identifier: Apache-2.0

/// What `play --port` does in the machine: each section leaves files in `$VM_OUT`.
enum PlayPortScript {
  static let text = """
    cd "$VM_OUT"
    status() { echo "$1 $2" >> status.txt; }
    settle() { sleep "${SETTLE:-1}"; }
    shows() { until aconnect -l | grep -q "$1"; do sleep 0.2; done; }
    record() { arecordmidi -p 14:0 -t 960 "$1" & recorder=$!; settle; }
    finish() { sleep 0.3; kill -INT $recorder; wait $recorder; }

    # A song of real life, faster than it was written, and one of every kind of event.
    record song.mid; $DOWNBEAT play "$INPUTS/song.mid" -p 14:0 --speed 6; status song $?; finish
    record all.mid; $DOWNBEAT play "$INPUTS/all.mid" -p 'Midi Through'; status all $?; finish

    # More than the kernel's pool at one instant; 641 tracks; a SysEx longer than a pool.
    "$CAPTURE" 1900 9 > crowd.txt & witness=$!
    shows capture; $DOWNBEAT play "$INPUTS/crowd.mid" -p capture; status crowd $?; wait $witness
    record tracks.mid; $DOWNBEAT play "$INPUTS/tracks.mid" -p 14; status tracks $?; finish
    $DOWNBEAT monitor -p 14 --json --count 2 --for 60s > sysex.json & witness=$!
    settle; $DOWNBEAT play "$INPUTS/sysex.mid" -p 14; status sysex $?; wait $witness

    # What of it is played, and how; one file after the other.
    record part.mid
    $DOWNBEAT play "$INPUTS/scale.mid" --port through --from 1s --to 3s --transpose -12 --speed 400%
    status part $?
    $DOWNBEAT play "$INPUTS/scale.mid" -p through --ab 0s,0.5s --loop=3 --ramp 100% --count-in 1 --only 1
    status loop $?
    $DOWNBEAT play "$INPUTS/scale.mid" "$INPUTS/two.mid" -p 14 --mute 1 --speed 8; status mute $?
    finish

    # Two ports: each has the tracks that ask for it, and the second is later.
    $DOWNBEAT monitor -p 14 --json --count 5 --for 60s > two.json & witness=$!
    shows 'downbeat monitor'; $DOWNBEAT play "$INPUTS/two.mid" -p 14,'downbeat monitor' --reset gm --offset 0 \\
      --offset 300
    status two $?; wait $witness

    # A port that is earlier, and channels left out.
    aseqdump > early.txt & witness=$!
    shows aseqdump
    $DOWNBEAT play "$INPUTS/two.mid" -p 14:0 -p aseqdump --reset gm --offset 0 --offset -15 --mute 2,10
    status early $?; sleep 0.3; kill $witness; wait $witness

    # A listener that goes and comes back under another number.
    aseqdump > before.txt & listener=$!
    settle; $DOWNBEAT play "$INPUTS/long.mid" -p aseqdump 2> away.err & player=$!
    shows 'Connecting To'; sleep 3; kill $listener; wait $listener; sleep 0.5
    $DOWNBEAT monitor > /dev/null & between=$!
    settle; aseqdump > after.txt & listener=$!
    shows 'Connecting To'; sleep 2; kill $between; kill -TERM $player; wait $player; status away $?; sleep 0.3; kill $listener

    # Waiting for a port, and for a listener.
    $DOWNBEAT play "$INPUTS/two.mid" -p aseqdump --wait --speed 8 & player=$!
    settle; aseqdump > waited.txt & listener=$!
    wait $player; status wait $?; sleep 0.3; kill $listener
    $DOWNBEAT play "$INPUTS/two.mid" --virtual organ --wait --speed 8 & player=$!
    shows organ; aseqdump -p organ > virtual.txt & listener=$!
    wait $player; status virtual $?; sleep 0.3; kill $listener

    # What is wrong is said in a sentence, with a status of its own.
    $DOWNBEAT play "$INPUTS/two.mid" -p nobody 2> unknown.txt; status unknown $?
    $DOWNBEAT play "$INPUTS/two.mid" -p virmidi 2> ambiguous.txt; status ambiguous $?
    $DOWNBEAT play "$INPUTS/two.mid" -p 14 --from 9999 2> from.txt; status from $?
    """
}
