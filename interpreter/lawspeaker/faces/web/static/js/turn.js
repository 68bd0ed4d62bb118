// Notifies a player that it is his turn: by a notification where the browser allows it, a sound, and an app badge;
// the page title is marked in any case.

import { t } from "./words.js";

const BELL = "lawspeaker.bell";

let audio = null;

export const wanted = () => localStorage.getItem(BELL) === "on";

/** Switches it on, and asks the browser for what it needs; says whether notifications will come. */
export async function switchOn() {
  localStorage.setItem(BELL, "on");
  sound(); // a sound that somebody asked for: from now on the page may make some by itself
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

export function switchOff() {
  localStorage.setItem(BELL, "off");
}

/** Something waits for whoever sits here. */
export function tell(title) {
  navigator.setAppBadge?.().catch(() => {});
  if (!wanted() || (!document.hidden && document.hasFocus())) return;
  sound();
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const told = new Notification(t("together.turn"), { body: t("together.turn_at", { title }), tag: location.pathname, icon: "/static/icon.svg" });
    told.onclick = () => {
      window.focus();
      told.close();
    };
  } catch {
    // Some browsers on phones let only installed pages notify.
  }
}

export function clear() {
  navigator.clearAppBadge?.().catch(() => {});
}

/** Two soft tones. */
function sound() {
  try {
    audio ??= new AudioContext();
    [523, 784].forEach((pitch, at) => {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const begin = audio.currentTime + at * 0.16;
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, begin);
      volume.gain.linearRampToValueAtTime(0.12, begin + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.4);
      tone.connect(volume).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + 0.45);
    });
  } catch {
    // A browser without sound is quiet.
  }
}
