"""The web page. `server.py` is what `zorora web` imports; everything else here is reached through
`create_app`,

so these modules import flask at their top and nothing outside of this package imports them at its
own.
"""
