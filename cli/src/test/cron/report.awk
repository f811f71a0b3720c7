# Reads the log of cron-hour and prints a table. A line with FAILED names what must not happen.
# begin JOB SECONDS MACHINE FENCE TIME LC_ALL LANG | ended JOB SECONDS MACHINE FENCE TIME | exit JOB SECONDS MACHINE CODE

function fail(what) {
  print "FAILED: " what
}

{
  period = int($3 / 60)
  jobs[$2] = 1
}

$1 == "begin" {
  begins[$2, period]++
  if (running[$2] != "") fail("job " $2 " began on " $4 " while it ran on " running[$2] ", period " period)
  running[$2] = $4
  if ($5 <= fence[$2]) fail("job " $2 ": fencing token " $5 " after " fence[$2])
  fence[$2] = $5
  machine[$2, $4]++
  if ($6 - period * 60 > latest[$2]) latest[$2] = $6 - period * 60
  if ($7 != "unset" || $8 != "unset") fail("not the locale of cron: " $7 " " $8)
}

$1 == "ended" {
  ends[$2, period]++
  running[$2] = ""
}

$1 == "exit" {
  exits[$2, $5]++
  reports[$2, period]++
  # A job that was ended has not recorded its end.
  if ($5 != 75 && running[$2] == $4) running[$2] = ""
  if ($5 != 0 && $5 != 75) fail("job " $2 " ended with " $5 " on " $4 ", period " period)
}

END {
  periods = last - first + 1
  print "| job, s | periods | ran once | skipped on all machines | exit code 0 | 75 | on each machine | latest start after the minute, s |"
  print "|--:|--:|--:|--:|--:|--:|--:|--:|"
  count = split("0.1 1 5 20 45 90", order, " ")
  for (i = 1; i <= count; i++) {
    job = order[i]
    once = none = 0
    for (period = first; period <= last; period++) {
      number = begins[job, period] + 0
      if (number == 1 && ends[job, period] == 1) once++
      else if (number == 0 && job == 90) none++
      else fail("job " job ", period " period ": began " number " times, ended " ends[job, period] + 0 " times")
      if (reports[job, period] != 3) fail("job " job ", period " period ": " reports[job, period] + 0 " machines reported")
    }
    printf "| %s | %d | %d | %d | %d | %d | %d, %d, %d | %.1f |\n", job, periods, once, none, exits[job, 0],
      exits[job, 75], machine[job, "machine-1"], machine[job, "machine-2"], machine[job, "machine-3"], latest[job]
  }
  print ""
  print restarts " restarts of a server; " controls " mails of the control job; " others " other mails."
  if (controls != 3 * periods) fail("the control job sent " controls " mails, not " 3 * periods)
  if (others != 0) fail(others " mails of jobs")
}
